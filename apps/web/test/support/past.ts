// A sandbox with a past.
import { makeSandbox } from './sandboxes.ts';
import type { Web } from './web.ts';

export const dayBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

type Listed = { records: { item_id: string; name: string; custom_data: { price: string } }[] };

/** Twelve swords and a shield that are some days old. Today the swords got cheaper, and one was deleted. */
export const makePast = async (
  web: Web,
  { days = 2, ...options }: { days?: number; protected?: true } = {},
) => {
  const sandbox = await makeSandbox(web);
  const { sandbox_id } = sandbox;
  const names = Array.from(
    { length: 12 },
    (_, index) => `Sword ${String(index + 1).padStart(2, '0')}`,
  );
  const fields = { operation: 'create', item_type: 'unit', custom_data: { price: '100' } };
  const operations = [...names, 'Shield'].map((name) => ({ ...fields, name }));
  const made = await web.call<Listed>('items.bulk', { sandbox_id, operations });
  await web.withDatabase(async ({ pool }) => {
    const earlier = `- interval '${days} days' WHERE sandbox_id = $1::uuid`;
    await pool.query(`UPDATE catalogue_version SET issued_at = issued_at ${earlier}`, [sandbox_id]);
    await pool.query(`UPDATE catalogue_record SET created_at = created_at ${earlier}`, [
      sandbox_id,
    ]);
  });
  const swords = made.records.filter(({ name }) => name.startsWith('Sword'));
  const cheaper = swords.map(({ item_id }) => {
    const custom_data = { price: '50' };
    return { operation: 'update', item_id, expected_version: 1, custom_data };
  });
  await web.call('items.bulk', { sandbox_id, operations: cheaper });
  await sandbox.deleteItem(swords[0]?.item_id ?? '', 2);
  await sandbox.addItem('Sword of today');
  if (options.protected) await web.call('sandboxes.update', { sandbox_id, protected: true });
  const readPrices = async () => {
    const list = await web.call<Listed>('items.list', { sandbox_id, name: 'Sword 0' });
    return list.records.map(({ custom_data }) => custom_data.price);
  };
  return { ...sandbox, readPrices };
};

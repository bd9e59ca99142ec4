// What stays: players, sandboxes and their first records.
import type { AdminCaller } from '../admin-caller.ts';

export const SANDBOXES = [
  '5a000000-0000-4000-8000-000000000001',
  '5a000000-0000-4000-8000-000000000002',
  '5a000000-0000-4000-8000-000000000003',
] as const;
const [MAIN, COPY, PROTECTED] = SANDBOXES;

export const nameOf = (sandboxId: string): string => `Sandbox ${sandboxId.at(-1)}`;
export const idOf = (kind: string, number: number): string =>
  `${kind.padEnd(8, '0')}-0000-4000-8000-${String(number).padStart(12, '0')}`;
export const PLAYERS = [1, 2, 3, 4].map((number) => idOf('b1', number));
const RECORDS = [1, 2, 3, 4].map((number) => idOf('1e', number));

/** Fails loudly: a world that is half empty would be fuzzed without any depth. */
export const mutate = async <Data>(
  admin: AdminCaller,
  procedure: string,
  input: object,
): Promise<Data> => {
  const { status, data, code } = await admin.mutate<Data>(procedure, input);
  if (status !== 200) throw new Error(`${procedure} answered ${status} ${code}`);
  return data;
};

export const fillPlayers = async (admin: AdminCaller): Promise<void> => {
  for (const [index, player_uuid] of PLAYERS.entries()) {
    const names = { player_id: index + 1, display_name: 'P' };
    await mutate(admin, 'players.register', { player_uuid, ...names });
  }
  await mutate(admin, 'sessionTypes.upsert', { type: 'duel', version_match: 'none' });
};

export const fillCatalogue = async (admin: AdminCaller): Promise<void> => {
  for (const sandbox_id of SANDBOXES) {
    await mutate(admin, 'sandboxes.create', { sandbox_id, name: nameOf(sandbox_id) });
  }
  for (const [index, id] of RECORDS.entries()) {
    await fillRecord(admin, MAIN, id);
    await fillRecord(admin, index % 2 === 0 ? COPY : PROTECTED, id);
  }
  const edit = { sandbox_id: MAIN, item_id: RECORDS[0], expected_version: 1 };
  await mutate(admin, 'items.update', { ...edit, name: 'Größe' });
};

/** An Item and an Xp table under one id. */
export const fillRecord = async (
  admin: AdminCaller,
  sandbox_id: string,
  id: string,
): Promise<void> => {
  const name = `Iron ${id}`;
  await mutate(admin, 'items.create', { sandbox_id, item_id: id, item_type: 'unit', name });
  const xp_thresholds = [{ level: 1, xp: 10 }];
  await mutate(admin, 'xp.create', { sandbox_id, xp_id: id, name, xp_thresholds });
};

// Data that a service has acknowledged, looked for again after it was started anew.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServiceProcess } from './service-process.ts';

const CREATED = { name: 'Runtimes', item: 'Iron Sword' };

/** Makes a sandbox with one Item in it; answers its id. */
export const leaveData = async ({ baseUrl }: ServiceProcess, token: string): Promise<string> => {
  const sandboxId = randomUUID();
  const call = async (procedure: string, input: object) => {
    const answer = await fetch(`${baseUrl}/admin/trpc/${procedure}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sandbox_id: sandboxId, ...input }),
    });
    assert.equal(answer.status, 200, `${procedure}: ${await answer.text()}`);
  };
  await call('sandboxes.create', { name: CREATED.name });
  await call('items.create', { name: CREATED.item, item_type: 'unit' });
  return sandboxId;
};

export const checkData = async (
  { baseUrl }: ServiceProcess,
  token: string,
  sandboxId: string,
): Promise<void> => {
  const answer = await fetch(`${baseUrl}/v1/history/sandbox/${sandboxId}/item/`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = (await answer.json()) as { page_meta?: { total: number } };
  assert.equal(body.page_meta?.total, 1, `the history is ${answer.status} ${JSON.stringify(body)}`);
};

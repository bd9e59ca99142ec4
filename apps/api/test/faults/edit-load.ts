// Editors who change Items continuously during a fault. Their responses are kept.
import { setTimeout as delay } from 'node:timers/promises';
import { createAdminCaller } from '../admin-caller.ts';
import { authorise } from './test-bed.ts';

type AcknowledgedEdit = { itemId: string; version: number; name: string };

export type EditRecord = {
  edits: readonly AcknowledgedEdit[];
  sandboxId: string;
  /** Status and error code of all responses but 200. */
  refusals: readonly string[];
};

type EditLoad = { stop(): Promise<EditRecord> };

type Item = { item_id: string; version: number; name: string };

const EDITORS = 2;
const PAUSE_MS = 50;

/** `baseUrls` as for startJoinLoad. */
export const startEditLoad = async (baseUrls: readonly string[]): Promise<EditLoad> => {
  const authorization = await authorise('editor', '*');
  const callers = () => baseUrls.map((baseUrl) => createAdminCaller(baseUrl, { authorization }));
  const [first] = callers();
  const createSandbox = () =>
    first?.mutate<{ sandbox_id: string }>('sandboxes.create', { name: 'Faults' });
  let sandbox = await createSandbox();
  // On a busy machine, a process that has just started may ask to retry.
  while (sandbox?.status === 503) {
    await delay(PAUSE_MS);
    sandbox = await createSandbox();
  }
  const sandboxId = sandbox?.data.sandbox_id ?? '';
  const edits: AcknowledgedEdit[] = [];
  const refusals: string[] = [];
  let stopped = false;
  let attempts = 0;

  /** Null without a response, or without one that confirms the edit. */
  const call = async (procedure: string, input: object): Promise<Item | null> => {
    attempts += 1;
    const caller = callers()[attempts % baseUrls.length];
    try {
      const answer = await caller?.mutate<Item>(procedure, { sandbox_id: sandboxId, ...input });
      if (answer?.status === 200) return answer.data;
      if (answer) refusals.push(`${answer.status} ${answer.code}`);
      return null;
    } catch {
      return null;
    }
  };
  const keep = ({ item_id: itemId, version, name }: Item) => edits.push({ itemId, version, name });

  const work = async (editor: number): Promise<void> => {
    for (let n = 0; !stopped; n += 1) {
      const created = await call('items.create', {
        name: `Item ${editor}-${n}`,
        item_type: 'unit',
      });
      if (created) await rename(created);
      else await delay(PAUSE_MS);
    }
  };

  /** Until a response is missing: then the next version is unknown. */
  const rename = async (created: Item): Promise<void> => {
    keep(created);
    const { item_id, name } = created;
    for (let version = 1; version < 10 && !stopped; version += 1) {
      const next = { item_id, expected_version: version, name: `${name} renamed ${version}` };
      const renamed = await call('items.update', next);
      if (!renamed) return;
      keep(renamed);
    }
  };

  const working = Array.from({ length: EDITORS }, (_, editor) => work(editor));
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(working);
      return { edits, sandboxId, refusals };
    },
  };
};

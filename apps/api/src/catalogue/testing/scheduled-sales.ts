// A catalogue with a clock that a test moves, and sales that are scheduled in it.
import { createChangeSetScheduler } from '../change-sets/change-set-scheduler.ts';
import { createSetCalls, NO_AUTHORITY, refOf } from './change-set-calls.ts';
import { ACTOR, anItem, openTestCatalogue } from './open-test-catalogue.ts';

const MINUTE_MS = 60_000;
const ALL = ['sandbox:*'];

/** Friday 18:00, an hour after the start of the clock, and Monday 09:00. */
export const FRIDAY = '2026-11-27T18:00:00.000Z';
export const MONDAY = '2026-11-30T09:00:00.000Z';

export const openSales = async () => {
  let now = new Date('2026-11-27T17:00:00.000Z');
  let isMaintained = false;
  let permissions: readonly string[] | null = ALL;
  const opened = await openTestCatalogue({ readClock: async () => now });
  const { changeSets, items, scheduledSteps } = opened.catalogue;
  const failures: unknown[] = [];
  const createScheduler = () =>
    createChangeSetScheduler({
      steps: scheduledSteps,
      readPermissions: async () => permissions,
      isMaintained: () => isMaintained,
      onStepFailed: () => {},
      onFailure: (error) => failures.push(error),
    });
  const scheduler = createScheduler();

  const makeSale = async () => {
    const sandbox_id = await opened.addSandbox();
    const { item_id } = await items.create(ACTOR, {
      sandbox_id,
      ...anItem('Sword'),
      custom_data: { price: '100' },
    });
    const set = await changeSets.create(ACTOR, { sandbox_id, title: 'Weekend sale' });
    const filled = await changeSets.addOperations(ACTOR, {
      ...refOf(set),
      operations: [
        {
          kind: 'item',
          operation: 'update',
          item_id,
          expected_version: 1,
          custom_data: { price: '80' },
        },
      ],
    });
    const ref = refOf(set);
    return {
      ...ref,
      item_id,
      ref,
      schedule: async (apply_at: string = FRIDAY, return_at: string | undefined = MONDAY) => {
        const { revision } = await changeSets.get(ref);
        const input = { ...ref, expected_revision: revision, apply_at, return_at };
        return changeSets.schedule(ACTOR, input, NO_AUTHORITY);
      },
      unschedule: async () => {
        const { revision } = await changeSets.get(ref);
        return changeSets.unschedule(ACTOR, { ...ref, expected_revision: revision });
      },
      revision: filled.revision,
      get: () => changeSets.get(ref),
      readItem: () => items.get({ sandbox_id, item_id }),
      readPrice: async () => (await items.get({ sandbox_id, item_id })).custom_data?.price,
      /** Another person changes the Item. */
      edit: async (fields: { description?: string; custom_data?: Record<string, string> }) => {
        const { version } = await items.get({ sandbox_id, item_id });
        return items.update(
          ACTOR,
          { sandbox_id, item_id, expected_version: version, ...fields },
          NO_AUTHORITY,
        );
      },
    };
  };

  return {
    ...opened,
    ...createSetCalls(() => opened),
    failures,
    makeSale,
    createScheduler,
    setPermissions: (held: readonly string[] | null = ALL) => {
      permissions = held;
    },
    setMaintained: (isOn: boolean) => {
      isMaintained = isOn;
    },
    setClock: (at: string, plusMinutes = 0) => {
      now = new Date(new Date(at).getTime() + plusMinutes * MINUTE_MS);
    },
    /** Does what is due at this moment. */
    runAt: async (at: string, plusMinutes = 0) => {
      now = new Date(new Date(at).getTime() + plusMinutes * MINUTE_MS);
      await scheduler.runDue();
    },
    readEvents: async (sandboxId: string) => {
      const entries = await opened.database.prisma.eventOutboxEntry.findMany({
        where: { subjectKey: sandboxId },
        orderBy: { entryId: 'asc' },
      });
      const all = entries.flatMap(({ events }) => events as { kind: string; detail?: object }[]);
      return all.filter(({ kind }) => kind.startsWith('change_set_'));
    },
  };
};

export type Sales = Awaited<ReturnType<typeof openSales>>;

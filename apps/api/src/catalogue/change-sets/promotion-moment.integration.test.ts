// A promotion reads its source as it was at one moment, although it reads it in batches.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSetCalls, NO_AUTHORITY } from '../testing/change-set-calls.ts';
import type { TestCatalogue } from '../testing/open-test-catalogue.ts';
import { ACTOR, anItem, openTestCatalogue } from '../testing/open-test-catalogue.ts';

let opened: TestCatalogue;
beforeAll(async () => {
  opened = await openTestCatalogue();
});
afterAll(() => opened.close());

const { apply, readContents } = createSetCalls(() => opened);

/** More than one batch. */
const RECORDS = 150;

const fillSource = async () => {
  const sandbox_id = await opened.addSandbox('Staging');
  const operations = Array.from({ length: RECORDS }, (_, index) => {
    return { operation: 'create' as const, ...anItem(`Item ${index}`) };
  });
  const { items } = opened.catalogue;
  const { records } = await items.bulk(ACTOR, { sandbox_id, operations }, NO_AUTHORITY);
  return { sandbox_id, ids: records.map(({ item_id }) => item_id) };
};

const countBlocked = async () => {
  const [row] = await opened.database.prisma.$queryRaw<{ blocked: number }[]>`
    SELECT count(*)::int AS blocked FROM pg_locks l JOIN pg_database d ON d.oid = l.database
    WHERE NOT l.granted AND l.relation = 'change_set_operation'::regclass AND d.datname = current_database()`;
  return row?.blocked;
};

/** Runs the work once the promotion has read its first batch, which it cannot write until the work is done. */
const duringPromotion = (promote: () => Promise<unknown>, work: () => Promise<unknown>) =>
  opened.database.prisma.$transaction(
    async (transaction) => {
      await transaction.$executeRaw`LOCK TABLE change_set_operation IN SHARE MODE`;
      const promoting = promote();
      await expect.poll(countBlocked, { timeout: 20_000 }).toBe(1);
      await work();
      return () => promoting;
    },
    { timeout: 60_000 },
  );

test.each(['all that differs', 'chosen records'])(
  'an edit of the source during a promotion of %s is promoted as a whole or not at all',
  async (choice) => {
    const source = await fillSource();
    const target = await opened.addSandbox('Production');
    const { items, changeSets } = opened.catalogue;
    const edit = () =>
      items.bulk(
        ACTOR,
        {
          sandbox_id: source.sandbox_id,
          operations: source.ids.map((item_id) => {
            return { operation: 'update', item_id, expected_version: 1, description: 'New' };
          }),
        },
        NO_AUTHORITY,
      );
    let draft: Awaited<ReturnType<typeof changeSets.promote>> | undefined;
    const promote = async () => {
      draft = await changeSets.promote(ACTOR, {
        sandbox_id: target,
        source_sandbox_id: source.sandbox_id,
        kind: 'item',
        include_referenced: true,
        ...(choice === 'chosen records' && { record_ids: source.ids }),
      });
    };
    const end = await duringPromotion(promote, edit);
    await end();
    if (!draft) throw new Error('There is no change set.');
    await apply(draft);
    const contents = await readContents(target);
    expect(contents.length).toBe(RECORDS);
    const descriptions = new Set(contents.map(({ description }) => description));
    expect(descriptions.size).toBe(1);
  },
);

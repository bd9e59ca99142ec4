import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { expectProblem, expectProblems, expectProblemsAt } from '../checks.ts';
import type { Kind } from '../fixtures/catalogue.ts';
import { editRecord, newRecord, newSandbox, ofBothKinds } from '../fixtures/catalogue.ts';
import type { Query } from '../fixtures/histories.ts';
import { historyPath, readHistory, tryHistory } from '../fixtures/histories.ts';
import type { Context, Prove } from '../target/context.ts';

/** Three records with legacy ids 1, 2, 3; the first was edited once. Four versions. */
const newScene = async (context: Context, kind: Kind) => {
  const sandboxId = await newSandbox(context);
  const make = (legacy: number) => {
    const fields = { name: `Name ${legacy}`, [kind.legacyId]: legacy };
    return newRecord(context, kind, sandboxId, fields);
  };
  const first = await make(1);
  const ids: Ids = [first.id, (await make(2)).id, (await make(3)).id];
  await editRecord(context, first, 'update', { name: 'Renamed' });
  return { history: { kind, sandboxId }, ids };
};

type Ids = [string, string, string];

const everyKind = (kind: Kind, prove: Prove) => {
  const ids = `${kind.id}s`;
  const legacyIds = `${kind.legacyId}s`;

  /** The filter selects exactly the versions of these legacy ids, and `total` counts them. */
  const leaves = (title: string, query: (ids: Ids) => Query, expected: readonly number[]) =>
    prove(title, async (context) => {
      const { history, ids } = await newScene(context, kind);
      const page = await readHistory(context, history, { sort_order: 'asc', ...query(ids) });
      const left = page.transactions.map((element) => element.version[kind.legacyId]);
      assert.deepEqual(left, expected);
      assert.equal(page.page_meta.total, expected.length);
    });

  return [
    leaves('without a filter every version is listed', () => ({}), [1, 2, 3, 1]),
    leaves(`${ids} of one record`, ([first]) => ({ [ids]: [first] }), [1, 1]),
    leaves(
      `${ids} repeated: ids within a filter combine with OR`,
      ([first, , third]) => ({ [ids]: [first, third] }),
      [1, 3, 1],
    ),
    leaves(
      `${ids} as a comma-separated value`,
      ([, second, third]) => ({ [ids]: `${second},${third}` }),
      [2, 3],
    ),
    leaves(
      `${ids} repeated and comma-separated together`,
      ([first, second, third]) => ({ [ids]: [`${first},${second}`, third] }),
      [1, 2, 3, 1],
    ),
    leaves(
      `the same id twice in ${ids} lists its versions once`,
      ([, second]) => ({ [ids]: [second, second] }),
      [2],
    ),
    leaves(`${ids} may be upper-case`, ([, second]) => ({ [ids]: second.toUpperCase() }), [2]),
    leaves(
      `${ids} may be without hyphens`,
      ([, second]) => ({ [ids]: second.replaceAll('-', '').toUpperCase() }),
      [2],
    ),
    leaves(`unknown ${ids} match nothing`, () => ({ [ids]: randomUUID() }), []),
    leaves(`${ids} that are no UUID match nothing`, () => ({ [ids]: ['sword', '1'] }), []),
    leaves(
      `${ids} that are no UUID do not hide those that are`,
      ([, second]) => ({ [ids]: ['sword', second] }),
      [2],
    ),
    leaves(`${legacyIds} of one record`, () => ({ [legacyIds]: 1 }), [1, 1]),
    leaves(`${legacyIds} repeated`, () => ({ [legacyIds]: [2, 3] }), [2, 3]),
    leaves(`${legacyIds} as a comma-separated value`, () => ({ [legacyIds]: '1,3' }), [1, 3, 1]),
    leaves(`unknown ${legacyIds} match nothing`, () => ({ [legacyIds]: 99 }), []),
    leaves(
      `${ids} and ${legacyIds} combine with AND`,
      ([first, second]) => ({ [ids]: [first, second], [legacyIds]: [2, 3] }),
      [2],
    ),
    leaves(
      `${ids} and ${legacyIds} of different records match nothing`,
      ([first]) => ({ [ids]: first, [legacyIds]: 2 }),
      [],
    ),
    leaves(
      'ids, legacy ids and name combine with AND',
      ([first, second]) => ({
        [ids]: [first, second],
        [legacyIds]: [1, 2, 3],
        name: 'renamed',
      }),
      [1, 1],
    ),
    leaves(
      'ids and a name of another record match nothing',
      ([, second]) => ({ [ids]: second, name: 'Renamed' }),
      [],
    ),
    prove('at most 100 ids: 100 are taken, 101 are a 422', async (context) => {
      const sandboxId = await newSandbox(context);
      const uuids = (count: number) => Array.from({ length: count }, () => randomUUID());
      const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
      const history = { kind, sandboxId };
      await readHistory(context, history, { [ids]: uuids(100) });
      await readHistory(context, history, { [ids]: uuids(100).join(',') });
      await readHistory(context, history, { [legacyIds]: numbers(100) });
      expectProblem(await tryHistory(context, history, { [ids]: uuids(101) }), `query.${ids}`);
      const joined = { [ids]: uuids(101).join(',') };
      expectProblem(await tryHistory(context, history, joined), `query.${ids}`);
      const legacy = { [legacyIds]: numbers(101) };
      expectProblem(await tryHistory(context, history, legacy), `query.${legacyIds}`);
    }),
    prove(`${legacyIds} that are no integer are a 422 at their index`, async (context) => {
      const history = { kind, sandboxId: randomUUID() };
      for (const value of ['x', '1.5', '', '9007199254740992', '1e3']) {
        const answer = await tryHistory(context, history, { [legacyIds]: [1, value] });
        expectProblem(answer, `query.${legacyIds}.1`);
      }
      const comma = await tryHistory(context, history, { [legacyIds]: '1,2,x' });
      expectProblem(comma, `query.${legacyIds}.2`);
    }),
    prove('an empty id is a 422 at its index, a trailing comma too', async (context) => {
      const history = { kind, sandboxId: randomUUID() };
      for (const [list, id] of [[ids, randomUUID()] as const, [legacyIds, '1'] as const]) {
        const lists = [
          ['', 0],
          [`${id},`, 1],
          [`,${id}`, 0],
          [`${id},,${id}`, 1],
        ] as const;
        for (const [value, index] of lists) {
          const answer = await tryHistory(context, history, { [list]: value });
          expectProblem(answer, `query.${list}.${index}`);
        }
        const repeated = await tryHistory(context, history, { [list]: [id, ''] });
        expectProblem(repeated, `query.${list}.1`);
      }
    }),
    prove('lists with brackets are a 422 at the name as it was sent', async (context) => {
      const { history } = await newScene(context, kind);
      const path = historyPath(history);
      for (const list of [ids, legacyIds]) {
        for (const [written, name] of [
          ['[]', `${list}[]`],
          ['%5B%5D', `${list}[]`],
          ['[0]', `${list}[0]`],
          ['%5B0%5D', `${list}[0]`],
        ] as const) {
          const answer = await context.get(`${path}?${list}${written}=1`);
          expectProblemsAt(answer, [`query.${name}`]);
        }
        const both = await context.get(`${path}?${list}=1&${list}[]=2&page_size=0`);
        expectProblemsAt(both, [`query.${list}[]`, 'query.page_size']);
      }
    }),
    prove('a sandbox id without hyphens names the same sandbox', async (context) => {
      const { history } = await newScene(context, kind);
      const sandboxId = history.sandboxId.replaceAll('-', '').toUpperCase();
      const page = await readHistory(context, { kind, sandboxId });
      assert.equal(page.page_meta.total, 4);
    }),
    prove('unknown query parameters are ignored', async (context) => {
      const { history } = await newScene(context, kind);
      const query = {
        colour: 'red',
        limit: 1,
        offset: 'x',
        item: ['a', 'b'],
        'name[]': 'x',
        'page_size[0]': 'x',
      };
      const page = await readHistory(context, history, query);
      assert.equal(page.transactions.length, 4);
    }),
    prove('the parameters of the other kind are unknown, and ignored', async (context) => {
      const { history } = await newScene(context, kind);
      const other = kind.path === 'item' ? 'xp' : 'item';
      const query = { [`${other}_ids`]: randomUUID(), [`legacy_${other}_ids`]: 'x' };
      const page = await readHistory(context, history, query);
      assert.equal(page.transactions.length, 4);
    }),
    prove('U+0000 and malformed escapes in the query are a 422', async (context) => {
      const path = historyPath({ kind, sandboxId: randomUUID() });
      for (const query of [
        'name=%00',
        'name=a%',
        'name=%ZZ',
        'name=%C3%28',
        '%ZZ=1',
        `${ids}=%00`,
      ]) {
        expectProblems(await context.get(`${path}?${query}`));
      }
    }),
  ];
};

export const historyFilterCases = ofBothKinds('History: filters by id', everyKind);

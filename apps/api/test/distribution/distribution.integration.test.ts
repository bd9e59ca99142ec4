// Every hot statement touches one group of tables, by its key, so that requests of games and editors scale with the
// nodes of a sharded database. Checks the statements that hot requests send, and those in the source.
import { PLACEMENTS } from '@muster/database/distribution';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as historyStatements from '../../src/catalogue/history/history-sql.ts';
import {
  countStatement,
  idsStatement,
  listStatement,
  matchStatement,
} from '../../src/catalogue/lists/record-list-sql.ts';
import { NARROW_COLUMNS } from '../../src/catalogue/records/record-store.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';
import type { SourceStatement } from './collect-statements.ts';
import { findSourceStatements, normalise, recordStatements } from './collect-statements.ts';
import { makeHotRequests } from './hot-requests.ts';
import type { Schema } from './judge-statement.ts';
import { judgeStatement } from './judge-statement.ts';

/**
 * Files whose statements may query every node, with the reason; for a file that hot requests use as well, only the
 * given statements.
 */
const COLD: readonly { file: RegExp; why: string; statements?: RegExp }[] = [
  {
    file: /^telemetry\/metric-history-store/,
    why: 'one process counts live sessions once a minute, for the charts',
  },
  { file: /^admin\/audit-list-store/, why: 'the list of all changes, for people' },
  { file: /^cli\/demo\//, why: 'fills an empty database once' },
  {
    file: /^admin\/(?:overview|system)-store|^catalogue\/lists\/search-store/,
    why: 'pages across all data, for people',
  },
  {
    file: /^sessions\/player-store/,
    statements:
      /FROM session_(?:seat|event) |^\s*SELECT count\(\*\)::int AS count FROM \(|FROM player [pn] .*(?:WHERE $|ILIKE)|l USING \(player_uuid\)$/s,
    why: 'lists of players and all their seats, for people',
  },
  {
    file: /^sessions\/player-session-store/,
    why: 'the sessions of one player, which a client lists after a crash',
  },
  { file: /^operations\/retention-store/, why: 'deletes expired data in batches' },
  {
    file: /^events\/feed-store/,
    statements: /DELETE FROM event_outbox|UPDATE audit_record/,
    why: 'deletes expired data in batches, and prepares a restored database',
  },
  { file: /^sessions\/session-list-store/, why: 'lists of sessions, for people' },
  {
    file: /^sessions\/refused-join-store/,
    statements: /FROM refused_join|^\s*SELECT $/,
    why: 'lists of refused joins, for people',
  },
  {
    file: /^catalogue\/(?:compare\/|import-export\/import-lookup-store|history\/version-sql)/,
    why: 'sandboxes compared, listed and copied, for people',
  },
  { file: /^sessions\/expiry-store/, why: 'searches for expired data' },
  {
    file: /^catalogue\/verification\/verification-store/,
    why: 'recomputes a whole chain on request',
  },
];

let service: TestService;
let schema: Schema;
let sent: readonly string[];
beforeAll(async () => {
  // Before any connection is opened: each keeps the method from its start.
  const recording = recordStatements();
  service = await startTestService();
  const { rows } = await service.database.pool.query<{ table: string; columns: string[] }>(COLUMNS);
  const columns = new Map(rows.map((row) => [row.table, row.columns]));
  schema = { placements: PLACEMENTS, columns };
  recording.texts.clear();
  await makeHotRequests(service);
  recording.stop();
  sent = [...recording.texts];
}, 120_000);
afterAll(() => service.close());

const COLUMNS = `
  SELECT table_name AS table, array_agg(column_name::text ORDER BY ordinal_position) AS columns
  FROM information_schema.columns WHERE table_schema = 'public' GROUP BY 1`;

const isHot = ({ file, pieces }: SourceStatement) =>
  !COLD.some((cold) => cold.file.test(file) && (cold.statements?.test(pieces[0] ?? '') ?? true));

test('every exception is still needed', () => {
  const unproven = findSourceStatements().filter((each) => !hasKeyAsWritten(each));
  const unused = COLD.filter(({ file }) => !unproven.some((each) => file.test(each.file)));
  expect(unused).toEqual([]);
});

/** Faults by statement, so that a failure shows both. */
const judgeAll = (texts: Iterable<string>): [string, string[]][] =>
  [...texts]
    .map((text): [string, string[]] => [normalise(text), judgeStatement(text, schema)])
    .filter(([, faults]) => faults.length > 0);

test('statements of hot requests touch one group of tables, by its key', () => {
  expect(sent.length).toBeGreaterThan(40);
  expect(judgeAll(sent)).toEqual([]);
});

test('statements in the source touch one group by its key, except those for people and jobs', () => {
  const whole = findSourceStatements().filter(({ pieces }) => pieces.length === 1);
  expect(whole.length).toBeGreaterThan(40);
  expect(judgeAll(whole.filter(isHot).map(({ pieces }) => pieces[0] ?? ''))).toEqual([]);
});

test('composed statements are sent by hot requests, or have their key in the source', () => {
  const known = [...sent, ...historyTexts(), ...recordListTexts(), ...filterByValueTexts()].map(
    normalise,
  );
  const isKnown = ({ pieces }: SourceStatement) =>
    known.some((text) => pieces.every((piece) => text.includes(normalise(piece))));
  const parts = findSourceStatements().filter(({ pieces }) => pieces.length > 1);
  expect(parts.length).toBeGreaterThan(5);
  const unproven = parts.filter(isHot).filter((each) => !isKnown(each) && !hasKeyAsWritten(each));
  expect(unproven).toEqual([]);
});

/** Any substitution: a value, another condition, or a name. */
const FILLINGS = ['$9', '', 'something'];

const hasKeyAsWritten = ({ pieces }: SourceStatement): boolean =>
  FILLINGS.some((filling) => {
    try {
      return judgeStatement(pieces.join(filling), schema).length === 0;
    } catch {
      return false;
    }
  });

test('pages of histories and lists of records touch only the tables of their sandbox, with all filters and plans', () => {
  expect(judgeAll([...historyTexts(), ...recordListTexts(), ...filterByValueTexts()])).toEqual([]);
});

/** Filters by value: all matches, and pages of them. */
const filterByValueTexts = (): string[] => {
  const id = '0196b8a0-0000-7000-8000-000000000001';
  const scope = { sandboxId: id, kind: 'item' as const, deleted: false };
  const has = { field: 'tags', op: 'has', value: 'a' } as const;
  const contains = { field: 'custom_data.a', op: 'contains', value: 'b' } as const;
  const named = { field: 'name', op: 'ne', value: 'b' } as const;
  const wheres = [
    { and: [has, contains, named] },
    { and: [named] },
    { or: [contains, has] },
    { and: [named], or: [contains, named] },
  ];
  const place = { sort: 'name', order: 'asc', after: undefined, limit: 11 } as const;
  return wheres.flatMap((where) => [
    matchStatement({ ...scope, where }).text,
    idsStatement({ ...scope, where }, 10).text,
    idsStatement(scope, 10).text,
    ...(['few', 'many'] as const).map((way) => {
      const matched = { total: 1, ids: way === 'few' ? '{}' : null };
      return listStatement({ ...scope, ...place, where, matched }, NARROW_COLUMNS, way).text;
    }),
  ]);
};

/**
 * Lists of records: by a column of the table and by one of the snapshot, without and with each filter, from the start
 * and from a cursor.
 */
const recordListTexts = (): string[] => {
  const id = '0196b8a0-0000-7000-8000-000000000001';
  const scope = { sandboxId: id, kind: 'item' as const, deleted: false };
  const filters = [{}, { name: 'sword' }, { itemType: 'unit' }, { tag: 'new', customKey: 'a' }];
  const places = [undefined, { value: '', name: 'sword', id }];
  return filters.flatMap((filter) => [
    countStatement({ ...scope, ...filter }).text,
    ...places.flatMap((after) =>
      (['name', 'item_type', 'custom_data.season'] as const).flatMap((sort) => {
        const query = { ...scope, ...filter, sort, order: 'asc' as const, after, limit: 51 };
        return (['few', 'many'] as const).map(
          (way) => listStatement(query, NARROW_COLUMNS, way).text,
        );
      }),
    ),
  ]);
};

/** All queries of histories: each builder of the module, with each filter and in both orders. */
const historyTexts = (): string[] => {
  const ids = { recordIds: ['0196b8a0-0000-7000-8000-000000000001'] };
  const names = ['sword', 'ab'].flatMap((foldedName) => [{ foldedName }, { ...ids, foldedName }]);
  const filters = [{}, ids, { legacyIds: [1] }, { ...ids, legacyIds: [1] }, ...names];
  const {
    startStatement,
    pageStatement,
    mergeStatement,
    scanStatement,
    countNamesStatement,
    nameOnlyFilter,
    ...others
  } = historyStatements;
  expect(Object.values(others).filter((other) => typeof other === 'function')).toEqual([]);
  return filters.flatMap((filter) => {
    const scope = { sandboxId: 'a', kind: 'item' as const, filter };
    const name = nameOnlyFilter(filter);
    const start = startStatement(scope);
    return (['asc', 'desc'] as const).flatMap((order) => {
      const range = { order, low: 1, high: 9, asOf: 9, limit: 51 };
      const byName =
        name === null
          ? []
          : [
              mergeStatement(scope, range),
              scanStatement(scope, name, range, 100),
              countNamesStatement(scope, name, 9, 10),
            ];
      return [start, pageStatement(scope, range), ...byName].map(({ text }) => text);
    });
  });
};

describe('the check reports', () => {
  test.each([
    ['no key', 'SELECT * FROM session_seat WHERE player_uuid = $1', ['session_seat']],
    ['no condition', 'SELECT count(*) FROM session', ['session']],
    [
      'a key combined with OR',
      'SELECT 1 FROM session WHERE session_key = $1 OR type = $2',
      ['session'],
    ],
    [
      'the key of another table',
      'SELECT 1 FROM session s, session_team t WHERE s.session_key = $1',
      ['session_team'],
    ],
    [
      'a key that only the optional side of a join has',
      'SELECT 1 FROM session s LEFT JOIN json_to_recordset($1) AS a(k uuid) ON a.k = s.session_key',
      ['session'],
    ],
    [
      'a subquery without the key',
      'SELECT (SELECT count(*) FROM session_seat p) FROM session s WHERE s.session_key = $1',
      ['session_seat'],
    ],
    [
      'a key that only a subquery has',
      'SELECT 1 FROM session s WHERE EXISTS (SELECT FROM session_seat p WHERE p.session_key = $1 AND p.session_key = s.session_key)',
      ['session'],
    ],
    ['an update without the key', 'UPDATE session SET version = 1 WHERE type = $1', ['session']],
    ['a deletion of all', 'DELETE FROM session_event', ['session_event']],
    [
      'rows inserted with a key from another table',
      'INSERT INTO session_event (session_key) SELECT session_key FROM session WHERE type = $1',
      ['session_event', 'session'],
    ],
    [
      'a key from another group',
      'SELECT 1 FROM platform_session_route r JOIN session s USING (session_key) WHERE r.digest = $1',
      ['session', 'groups'],
    ],
    [
      'a common table expression without the key',
      'WITH w AS (SELECT session_key FROM session WHERE type = $1) SELECT * FROM session_seat JOIN w USING (session_key)',
      ['session', 'session_seat'],
    ],
    ['an unknown table', 'SELECT 1 FROM missing', ['missing']],
  ])('%s', (_, sql, about) => {
    const faults = judgeStatement(sql, schema);
    expect(faults).toHaveLength(about.length);
    for (const word of about) expect(faults.some((fault) => fault.includes(word))).toBe(true);
  });

  test.each([
    ['parameters', 'SELECT 1 FROM session WHERE session_key = ANY($1::uuid[])'],
    ['values', 'INSERT INTO session_team (session_key, team_id) VALUES ($1, $2), ($3, $4)'],
    [
      'a list',
      'DELETE FROM "public"."session" WHERE ("public"."session"."session_key" IN ($1,$2))',
    ],
    [
      'rows of the request',
      'INSERT INTO session_event (session_key) SELECT e.k FROM json_to_recordset($1) AS e(k uuid)',
    ],
    [
      'RETURNING of a write',
      'WITH w AS (UPDATE session SET version = 1 WHERE session_key = $1 RETURNING session_key) DELETE FROM session_seat p USING w WHERE p.session_key = w.session_key',
    ],
    [
      'an outer query',
      'SELECT (SELECT count(*) FROM session_seat p WHERE p.session_key = s.session_key) FROM session s WHERE s.session_key = $1',
    ],
    ['a reference table', 'SELECT * FROM session_type WHERE version_match = $1'],
  ])('nothing when the key comes from %s', (_, sql) => {
    expect(judgeStatement(sql, schema)).toEqual([]);
  });
});

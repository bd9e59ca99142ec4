// The SQL of the comparison. Records meet by their id; deleted ones count as absent.
// Everywhere: $1 target, $2 source, $3 kind.
import { afterId } from '../catalogue/index.ts';

export type Difference = 'only_source' | 'only_target' | 'different';

/** Texts that differ may still be the same values: the order of keys says nothing. */
const STATUS = `CASE WHEN t.record_id IS NULL THEN 'only_source'
  WHEN t.snapshot = s.snapshot OR t.snapshot::jsonb = s.snapshot::jsonb THEN 'same' ELSE 'different' END`;

const live = (alias: 's' | 't') =>
  `${alias}.sandbox_id = ${alias === 't' ? '$1' : '$2'}::uuid AND ${alias}.kind = $3 AND NOT ${alias}.deleted`;

const FROM_SOURCE = `FROM catalogue_record s
LEFT JOIN catalogue_record t ON ${live('t')} AND t.record_id = s.record_id WHERE ${live('s')}`;

const ONLY_IN_TARGET = `FROM catalogue_record t
LEFT JOIN catalogue_record s ON ${live('s')} AND s.record_id = t.record_id
WHERE ${live('t')} AND s.record_id IS NULL`;

export const COUNT_STATUSES = `SELECT status, count(*) AS count FROM (
  SELECT ${STATUS} AS status ${FROM_SOURCE} UNION ALL SELECT 'only_target' ${ONLY_IN_TARGET}
) compared GROUP BY status`;

/** What the other side has, looked up record by record: a join would read all of both sides for any page. */
const lookUp = (alias: 's' | 't', other: 's' | 't' | 'page'): string =>
  `LEFT JOIN LATERAL (SELECT * FROM catalogue_record ${alias} WHERE ${live(alias)}
  AND ${alias}.record_id = ${other}.record_id LIMIT 1) ${alias} ON true`;

/** Written as the planner can guess: it takes a comparison with the whole status for a rare one, and reads on. */
const OF_STATUS = {
  only_source: 't.record_id IS NULL',
  different: 't.snapshot <> s.snapshot AND t.snapshot::jsonb <> s.snapshot::jsonb',
  any: `(t.record_id IS NULL OR t.snapshot <> s.snapshot) AND ${STATUS} <> 'same'`,
};

const pageOf = (alias: 's' | 't', after: string | null): string =>
  `${afterId(`${alias}.record_id`, '$5', after)} ORDER BY ${alias}.record_id LIMIT $4::int`;

const inSource = (after: string | null, wanted: string): string =>
  `SELECT s.record_id, ${STATUS} AS status FROM catalogue_record s ${lookUp('t', 's')}
WHERE ${live('s')} AND ${wanted} ${pageOf('s', after)}`;

const onlyInTarget = (after: string | null, upTo = ''): string =>
  `SELECT t.record_id, 'only_target' AS status FROM catalogue_record t ${lookUp('s', 't')}
WHERE ${live('t')} AND s.record_id IS NULL ${upTo} ${pageOf('t', after)}`;

/** Beyond a full page of the source nobody looks; without this bound a page would search all of the target. */
const inBoth = (after: string | null): string =>
  `WITH in_source AS MATERIALIZED (${inSource(after, OF_STATUS.any)})
SELECT * FROM in_source UNION ALL (${onlyInTarget(
    after,
    `AND t.record_id <= COALESCE(
  (SELECT i.record_id FROM in_source i ORDER BY i.record_id OFFSET $4::int - 1 LIMIT 1),
  'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)`,
  )})`;

/** $4 limit; then the last id. Walks primary keys, so that a page ends where its limit is reached. */
export const pageStatement = (status: Difference | undefined, after: string | null): string => {
  const found =
    status === undefined
      ? inBoth(after)
      : status === 'only_target'
        ? onlyInTarget(after)
        : inSource(after, OF_STATUS[status]);
  return `SELECT page.record_id, page.status, ${side('s', 'source')}, ${side('t', 'target')}
FROM (SELECT * FROM (${found}) b ORDER BY b.record_id LIMIT $4::int) page
${lookUp('s', 'page')}
LEFT JOIN catalogue_version sv ON sv.sandbox_id = $2::uuid AND sv.seq = s.head_seq
${lookUp('t', 'page')}
LEFT JOIN catalogue_version tv ON tv.sandbox_id = $1::uuid AND tv.seq = t.head_seq
ORDER BY page.record_id`;
};

const side = (alias: 's' | 't', name: 'source' | 'target'): string =>
  `${alias}.snapshot AS ${name}_snapshot, ${alias}.version AS ${name}_version,
  ${alias}v.version_id AS ${name}_version_id`;

/** $1 sandbox, $2 kind, $3 record ids: the records with the position that they are read at, in one snapshot. */
export const READ_SOURCE = `SELECT s.head_seq AS "headSeq", r.record_id AS "recordId", r.name, r.deleted, r.snapshot
FROM sandbox s LEFT JOIN catalogue_record r
  ON r.sandbox_id = s.sandbox_id AND r.kind = $2 AND r.record_id = ANY ($3::uuid[])
WHERE s.sandbox_id = $1::uuid`;

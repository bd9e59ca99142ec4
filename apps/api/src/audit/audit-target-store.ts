// What people call the things that audit records name by ids: looked up for a whole page at once.
import { Uuid } from '@muster/contract';
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import type { AuditRow } from './audit-list-store.ts';

export type AuditTargetStore = {
  /** The name of each record's target, in their order; null where there is none, or it is gone. */
  findNames(rows: readonly AuditRow[]): Promise<(string | null)[]>;
};

/** What a name is looked up by. */
type Reference =
  | { what: 'item' | 'xp'; id: string; sandboxId: string }
  | { what: 'key' | 'account' | 'player' | 'sandbox'; id: string };

/** One statement for the page, by primary keys only. */
export const createAuditTargetStore = ({ pool }: Pick<Database, 'pool'>): AuditTargetStore => ({
  async findNames(rows) {
    const references = rows.map(referTo);
    const wanted = references.filter((reference) => reference !== null);
    if (wanted.length === 0) return rows.map(nameItself);
    const values = [
      wanted.map(({ what }) => what),
      wanted.map((reference) => ('sandboxId' in reference ? reference.sandboxId : null)),
      wanted.map(({ id }) => id),
    ];
    type Found = { what: Reference['what']; sandbox_id: string | null; id: string; name: string };
    const found = await runPrepared<Found>(pool, FIND_NAMES, values);
    const names = new Map(
      found.map(({ what, sandbox_id, id, name }) => [toKey(what, sandbox_id, id), name]),
    );
    return rows.map((row, index) => {
      const reference = references[index];
      if (!reference) return nameItself(row);
      const sandboxId = 'sandboxId' in reference ? reference.sandboxId : null;
      return names.get(toKey(reference.what, sandboxId, reference.id)) ?? null;
    });
  },
});

const toKey = (what: string, sandboxId: string | null, id: string): string =>
  `${what} ${sandboxId} ${id}`;

/** Sessions and their types are known by what they are addressed by. */
const nameItself = ({ target: { type, session_id: sessionId } }: AuditRow): string | null => {
  if (typeof type !== 'string') return null;
  return typeof sessionId === 'string' ? `${type}/${sessionId}` : type;
};

/** The most exact of what a target names: a key rather than its account. Null where nothing is to be looked up. */
const referTo = ({ sandboxId, target }: AuditRow): Reference | null => {
  if ('type' in target) return null;
  for (const what of ['item', 'xp'] as const) {
    const id = readUuid(target[`${what}_id`]) ?? readUuid(readOnly(target[`${what}_ids`]));
    if (id !== null && sandboxId !== null) return { what, id, sandboxId };
  }
  for (const [what, field] of BY_UUID) {
    const id = readUuid(target[field]);
    if (id !== null) return { what, id };
  }
  const { account_id: accountId } = target;
  return typeof accountId === 'string' ? { what: 'account', id: accountId } : null;
};

const BY_UUID = [
  ['key', 'key_id'],
  ['player', 'player_uuid'],
  ['sandbox', 'sandbox_id'],
] as const;

/** A target of many records has no one name. */
const readOnly = (ids: unknown): unknown =>
  Array.isArray(ids) && ids.length === 1 ? ids[0] : undefined;

const readUuid = (value: unknown): string | null => Uuid.safeParse(value).data ?? null;

/** $1 what is wanted, $2 sandboxes of records, $3 ids: of one length. Text becomes a UUID only where it is one. */
const FIND_NAMES = {
  name: 'audit_target_names',
  text: `WITH wanted AS MATERIALIZED (
  SELECT DISTINCT what, sandbox_id, id FROM unnest($1::text[], $2::uuid[], $3::text[]) AS w(what, sandbox_id, id)
)
SELECT w.what, w.sandbox_id, w.id, coalesce(
  CASE WHEN w.what IN ('item', 'xp') THEN (SELECT r.name FROM catalogue_record r
    WHERE r.sandbox_id = w.sandbox_id AND r.kind = w.what AND r.record_id = w.id::uuid) END,
  CASE WHEN w.what = 'key' THEN (SELECT k.name FROM service_key k WHERE k.key_id = w.id::uuid) END,
  CASE WHEN w.what = 'account' THEN (SELECT a.name FROM account_name a WHERE a.account_id = w.id) END,
  CASE WHEN w.what = 'player' THEN (SELECT p.display_name FROM player p WHERE p.player_uuid = w.id::uuid) END,
  CASE WHEN w.what = 'sandbox' THEN (SELECT s.name FROM sandbox s WHERE s.sandbox_id = w.id::uuid) END
) AS name
FROM wanted w`,
};

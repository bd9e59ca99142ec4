// The statements of the use of keys.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';

export type KeyRefusal = {
  /** RFC 3339. */
  at: string;
  error_code: string;
  /** A procedure of the admin API, or the pattern of a route. */
  target: string;
  request_id: string;
};

/** What one process counted for a key on a day. */
export type CountedUse = {
  key_id: string;
  /** In UTC, such as 2026-11-28. */
  day: string;
  requests: number;
  refused: number;
  last_refusals: readonly KeyRefusal[];
};

export type StoredDay = {
  day: string;
  requests: number;
  refused: number;
  lastRefusals: KeyRefusal[];
};

/** Of a key and day. */
export const MAX_REFUSALS = 10;
const KEPT_DAYS = 30;

export type KeyUseStore = ReturnType<typeof createKeyUseStore>;

export const createKeyUseStore = ({ pool }: Pick<Database, 'pool'>) => ({
  /** Adds to the days, and deletes those that are no longer kept. */
  async add(uses: readonly CountedUse[], now: Date): Promise<void> {
    await runPrepared(pool, ADD_USE, [JSON.stringify(uses)]);
    await runPrepared(pool, DELETE_OLD, [now]);
  },

  /** The last days with any use, newest first. */
  list: (keyId: string, days: number, now: Date): Promise<StoredDay[]> =>
    runPrepared<StoredDay>(pool, LIST_DAYS, [keyId, days, now]),
});

const today = (parameter: string) => `(${parameter}::timestamptz AT TIME ZONE 'UTC')::date`;

/** In the order of keys and days, so that processes do not wait for each other in a circle. */
const ADD_USE = {
  name: 'add_key_use',
  text: `
    INSERT INTO service_key_day AS d (key_id, day, requests, refused, last_refusals)
    SELECT u.key_id, u.day, u.requests, u.refused, u.last_refusals
    FROM jsonb_to_recordset($1::jsonb) AS u(key_id uuid, day date, requests bigint, refused bigint, last_refusals jsonb)
    ORDER BY u.key_id, u.day
    ON CONFLICT (key_id, day) DO UPDATE SET
      requests = d.requests + excluded.requests,
      refused = d.refused + excluded.refused,
      last_refusals = (
        SELECT COALESCE(jsonb_agg(newest.refusal ORDER BY newest.refusal ->> 'at' DESC), '[]') FROM (
          SELECT refusal FROM jsonb_array_elements(excluded.last_refusals || d.last_refusals) AS e(refusal)
          ORDER BY refusal ->> 'at' DESC LIMIT ${MAX_REFUSALS}
        ) newest)`,
};

const DELETE_OLD = {
  name: 'delete_old_key_use',
  text: `DELETE FROM service_key_day WHERE day <= ${today('$1')} - ${KEPT_DAYS}`,
};

const LIST_DAYS = {
  name: 'list_key_use',
  text: `
    SELECT day::text, requests, refused, last_refusals AS "lastRefusals" FROM service_key_day
    WHERE key_id = $1::uuid AND day > ${today('$3')} - $2::int ORDER BY day DESC`,
};

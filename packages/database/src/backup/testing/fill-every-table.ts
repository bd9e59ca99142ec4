// Rows in every table, with what is hard to carry: ends of lines, quotes, empty and absent values, odd spellings of JSON.
import type pg from 'pg';
import { withClient } from '../../client.ts';

const ID = '11111111-1111-4111-8111-111111111111';
const OTHER = '22222222-2222-4222-8222-222222222222';
const DIGEST = `'\\x${'0a'.repeat(32)}'::bytea`;
/** Of the text format of COPY, each of these means something. */
const HARD = String.raw`E'a\tb\nc\rd \\N \\. "quoted" ''single'' {1,2} \u00e9 \U0001F3AE'`;
const JSON_TEXT = `'{"b": 1,  "a": "x\\ny", "a": 1e400}'`;

const STATEMENTS = [
  `INSERT INTO player VALUES ('${ID}', ${HARD}, '2026-01-01T00:00:00.123Z'), ('${OTHER}', NULL, now())`,
  `INSERT INTO player_legacy_id VALUES (-9007199254740991, '${ID}')`,
  `INSERT INTO refused_join VALUES ('${ID}', now(), 1, '${OTHER}', now(), 'u', ${HARD}, 'PSN', 'bXk=', ${DIGEST}, NULL, NULL,
     'platform_session_not_found', ${HARD}, 'r', 1)`,
  `INSERT INTO session_type (type, default_teams, absent_ttl_seconds) VALUES ('duel', '[ ]', 5)`,
  `INSERT INTO session (session_key, type, session_id, incarnation, created_at, custom_data, instance)
   VALUES ('${ID}', 'duel', ${HARD}, 'i', now(), ${JSON_TEXT}, '{"join_status":"closed"}')`,
  `INSERT INTO session_team (session_key, team_id, position, max_size) VALUES ('${ID}', -1, 0, 4), ('${ID}', 2, 1, 4)`,
  `INSERT INTO session_seat (session_key, player_uuid, team_id, status, seated_at, joined_at, invited_at)
   VALUES ('${ID}', '${ID}', -1, 'leader', now(), now(), NULL), ('${ID}', '${OTHER}', 2, 'invited', now(), NULL, now())`,
  `INSERT INTO session_platform_session VALUES ('${ID}', ${DIGEST}, 0, 'Steam', 'lobby', 'bXk=', ${JSON_TEXT})`,
  `INSERT INTO platform_session_route VALUES (${DIGEST}, '${ID}')`,
  `INSERT INTO session_event VALUES ('${ID}', '${OTHER}', now(), 'created', 1, 'me', NULL, ${JSON_TEXT})`,
  `INSERT INTO event_outbox (subject_key, entry_id, events) VALUES ('${ID}', '${OTHER}', ${JSON_TEXT})`,
  `INSERT INTO event_outbox_origin (system_identifier) VALUES ('1')`,
  `INSERT INTO webhook_endpoint (endpoint_id, url, kinds, secrets, cursor, read_from, last_position, created_at)
   VALUES ('${ID}', ${HARD}, '{session_ended}', ${JSON_TEXT}, ${JSON_TEXT}, now(), 9007199254740991, now())`,
  `INSERT INTO webhook_delivery (delivery_id, endpoint_id, position, subject, events, event_count, response, created_at)
   VALUES ('${ID}', '${ID}', 1, ${HARD}, ${JSON_TEXT}, 1, ${HARD}, now())`,
  `INSERT INTO service_key_day VALUES ('${ID}', '2026-01-01', 9007199254740991, 1, ${JSON_TEXT})`,
  `INSERT INTO metric_minute VALUES (now(), '{"requests": 1.5}', NULL)`,
  `INSERT INTO sandbox (sandbox_id, name, head_seq, head_hash, item_versions) VALUES ('${ID}', ${HARD}, 1, ${DIGEST}, 1)`,
  `INSERT INTO catalogue_record VALUES
     ('${ID}', 'item', '${ID}', 7, 1, ${HARD}, ${HARD}, false, 1, 1, ${JSON_TEXT}, now(), now())`,
  // A trigger writes its values.
  `INSERT INTO catalogue_record VALUES ('${ID}', 'item', '${OTHER}', NULL, NULL, 'x', 'x', false, 1, 1,
     '{"tags":["a","b"],"custom_data":{"price":"12.5"}}', now(), now())`,
  `INSERT INTO catalogue_name VALUES ('${ID}', 'item', '${ID}', ${HARD}, 1)`,
  `INSERT INTO catalogue_version VALUES ('${ID}', 1, 'item', '${ID}', 1, '${ID}', '${ID}', 'insert', 'me', '', now(),
     ${HARD}, ${JSON_TEXT} || repeat('x', 100000), ${DIGEST}, ARRAY['name', ${HARD}, NULL, ''])`,
  `INSERT INTO change_set (sandbox_id, change_set_id, title, state, author_id, created_at, updated_at)
   VALUES ('${ID}', '${ID}', ${HARD}, 'draft', 'me', now(), now())`,
  `INSERT INTO change_set_operation VALUES ('${ID}', '${ID}', 0, 'item', '${ID}', 'update', 1, ${JSON_TEXT}, NULL,
    'price has no value.')`,
  `INSERT INTO change_set_comment VALUES ('${ID}', '${ID}', '${ID}', 'rejection', 'me', ${HARD}, now(), NULL)`,
  `INSERT INTO saved_view VALUES ('${ID}', '${ID}', 'item', ${HARD}, 'me', true, ${HARD}, now(), now())`,
  `INSERT INTO item_schema_version VALUES ('${ID}', 'unit', 1, '[]', 'me', ${HARD}, now(), '${ID}', 1)`,
  `INSERT INTO account_user (id, name, email, sandbox_ids) VALUES ('u', ${HARD}, 'a@b.c', ARRAY['${ID}'::uuid])`,
  `INSERT INTO account_session (id, token, user_id, expires_at) VALUES ('s', 't', 'u', 'infinity')`,
  `INSERT INTO account_login (id, account_id, provider_id, user_id, password) VALUES ('l', 'u', 'credential', 'u', 'h')`,
  `INSERT INTO account_verification (id, identifier, value, expires_at) VALUES ('v', 'i', ${HARD}, now())`,
  `INSERT INTO account_two_factor (id, secret, backup_codes, user_id) VALUES ('f', 's', '', 'u')`,
  `INSERT INTO account_throttle VALUES (${HARD}, 3, now())`,
  `INSERT INTO account_invitation VALUES ('${ID}', 'd@e.f', 'viewer', '{}', ${DIGEST}, 'u', now(), now())`,
  `INSERT INTO account_name VALUES ('u', 'person', ${HARD})`,
  `INSERT INTO service_account VALUES ('${ID}', ${HARD}, now())`,
  `INSERT INTO service_key (key_id, account_id, name, prefix, digest, permissions, created_at)
   VALUES ('${ID}', '${ID}', ${HARD}, 'mk', ${DIGEST}, ARRAY['session:*'], now())`,
  `INSERT INTO maintenance (since, account_id, reason, retry_after_seconds) VALUES (now(), 'u', ${HARD}, 60)`,
  `INSERT INTO audit_record (audit_id, occurred_at, account_id, action, target)
   VALUES ('${ID}', '1969-12-31T23:59:59.999Z', 'u', 'items.update', ${JSON_TEXT})`,
];

/** Answers how many rows each table has. Throws where a table has none: a new one needs a statement here. */
export function fillEveryTable(url: string): Promise<Record<string, number>> {
  return withClient({ connectionString: url }, async (client) => {
    for (const statement of STATEMENTS) await client.query(statement);
    return countRows(client);
  });
}

async function countRows(client: pg.Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname <> '_prisma_migrations' ORDER BY 1`);
  const counts: Record<string, number> = {};
  for (const { name } of rows) {
    const { rows: found } = await client.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${name}`,
    );
    counts[name] = found[0]?.n ?? 0;
    if (counts[name] === 0) throw new Error(`${name} has no row`);
  }
  return counts;
}

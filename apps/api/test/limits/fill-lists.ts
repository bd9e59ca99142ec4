// Fills every list of the admin API with rows of the largest values that its fields take. In JSON a control character is six bytes, more
// than any other character that a text may have.
import { randomUUID } from 'node:crypto';
import { RECORDED_JOIN_ERROR_CODES } from '@muster/contract';
import type { Database } from '@muster/database';

export const PAGE_SIZE = 200;
/** More than any page but those of a thousand. */
const ROWS = 210;

/** Of two sandboxes that have the same records, of which all differ. */
export const SANDBOX = randomUUID();
export const SOURCE = randomUUID();
export const SET = randomUUID();
/** Has a seat in every session. */
export const PLAYER = randomUUID();
/** An account with as many identities as are listed. */
export const PERSON = 'u1';

export const widest = (length: number, prefix = ''): string => prefix.padEnd(length, '\u0001');

/** The id that the database derives from a number. */
export const toId = (n: number): string =>
  `0196b8a0-0000-7000-8000-${n.toString(16).padStart(12, '0')}`;

// SQL with a number `n` for each row.
const each = (rows = ROWS) => `generate_series(1, ${rows}) n`;
const ID = `('0196b8a0-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
const text = (length: number) => `rpad('x' || n, ${length}, chr(1))`;
const EMAIL = `lpad(n || '@example.com', 254, 'a')`;
const HUNDRED_IDS = '(SELECT array_agg(gen_random_uuid()) FROM generate_series(1, 100))';

type Run = (statement: string, ...values: unknown[]) => Promise<unknown>;

/** `session` is one that lives, `accountId` a person who is signed in. */
export const fillLists = async (
  { pool }: Pick<Database, 'pool'>,
  { session, accountId }: { session: { type: string; session_id: string }; accountId: string },
): Promise<void> => {
  const client = await pool.connect();
  const run: Run = (statement, ...values) => client.query(statement, values);
  // Some take longer than any statement of the service may.
  await run('SET statement_timeout = 0');
  await fillSessions(run, session);
  for (const [index, sandboxId] of [SANDBOX, SOURCE].entries()) {
    await fillSandbox(run, sandboxId, 5_000 * index);
  }
  await fillChangeSet(run);
  await fillViews(run);
  await fillSchemas(run);
  await fillMetrics(run);
  await run(
    `INSERT INTO sandbox (sandbox_id, name, head_hash)
     SELECT gen_random_uuid(), ${text(256)}, sha256('') FROM ${each()}`,
  );
  await fillAccounts(run, accountId);
  await fillAudit(run);
  await fillWebhooks(run);
  client.release(true);
};

const fillSessions = async (run: Run, live: { type: string; session_id: string }) => {
  await run(`INSERT INTO player SELECT ${ID}, ${text(128)}, now() FROM ${each()}`);
  await run(`INSERT INTO player_legacy_id SELECT 9007199254740000 + n, ${ID} FROM ${each()}`);
  await run(`INSERT INTO player VALUES ($1, NULL, now())`, PLAYER);
  const teams = JSON.stringify(Array.from({ length: 100 }, () => ({ max_size: 100 })));
  await run(
    `INSERT INTO session_type (type, default_teams) SELECT ${text(128)}, $1::json FROM ${each(1_000)}`,
    teams,
  );
  await run(
    `INSERT INTO session (session_key, type, session_id, incarnation, created_at, custom_data)
     SELECT gen_random_uuid(), ${text(128)}, ${text(128)}, 'i', now(), $1::json FROM ${each()}`,
    JSON.stringify({ a: widest(4_096), b: widest(4_096) }),
  );
  await run(
    `INSERT INTO session_team (session_key, team_id, position, max_size)
     SELECT session_key, 1, 1, 100 FROM session`,
  );
  await run(
    `INSERT INTO session_seat (session_key, player_uuid, team_id, status, seated_at, joined_at, platform, client_version, absent_since)
     SELECT session_key, $1, 1, 'leader', now(), now(), 'NintendoSwitch', rpad('1.0.0-', 256, 'a'), now() FROM session`,
    PLAYER,
  );
  const instance = { join_status: 'unjoinable', instance_health: 'unhealthy' };
  await run(
    `INSERT INTO session_event (session_key, event_id, occurred_at, kind, session_version, account_id, player_uuid, detail)
     SELECT session_key, gen_random_uuid(), now(), 'platform_session_removed', 9007199254740991, ${text(256)}, $1, $2::json
     FROM session, ${each()} WHERE type = $3 AND session_id = $4`,
    ...[PLAYER, JSON.stringify({ instance_id: widest(128), ...instance })],
    ...[live.type, live.session_id],
  );
  await run(
    `INSERT INTO refused_join
     SELECT gen_random_uuid(), now(), 1, gen_random_uuid(), now(), repeat('€', 256), repeat('€', 64), repeat('€', 64),
       repeat('€', 256), sha256(''), ${text(128)}, ${text(128)}, repeat('e', 64), repeat('€', 500), repeat('r', 128), 1
     FROM ${each()}`,
  );
  const event = {
    event_id: PLAYER,
    occurred_at: new Date(),
    account_id: widest(256),
    kind: 'platform_session_removed',
    type: live.type,
    session_id: live.session_id,
    session_version: 9_007_199_254_740_991,
    player_uuid: PLAYER,
    detail: { instance_id: widest(128), ...instance },
  };
  await run(
    `INSERT INTO event_outbox (subject_key, entry_id, events)
     SELECT gen_random_uuid(), gen_random_uuid(), $1::json FROM generate_series(1, 25)`,
    JSON.stringify(Array.from({ length: 50 }, () => event)),
  );
};

const levels = (first: number) =>
  Array.from({ length: 1_000 }, (_, index) => ({ level: first + index, xp: first + index }));
const tags = (first: number) =>
  Array.from({ length: 100 }, (_, index) => widest(128, `${first + index}`));

const FIELDS = {
  item: (first: number) => ({ item_id: toId(1), item_type: 'unit', tags: tags(first) }),
  xp: (first: number) => ({ xp_id: toId(1), xp_thresholds: levels(first) }),
};
const LONG_FIELDS = {
  name: widest(256),
  description: widest(4_096),
  custom_data: Object.fromEntries(['a', 'b', 'c', 'd'].map((key) => [key, widest(4_096)])),
};

/** More than a page has room for. The other records are small, or comparing them all would take long. */
const WIDE_RECORDS = 30;

/** Records with one version each; `first` tells those of two sandboxes apart. */
const fillSandbox = async (run: Run, sandboxId: string, first: number) => {
  await run(
    `INSERT INTO sandbox (sandbox_id, name, head_seq, item_versions, xp_versions, head_hash)
     VALUES ($1::uuid, $1::text, 2 * ${ROWS}, ${ROWS}, ${ROWS}, sha256(''))`,
    sandboxId,
  );
  for (const [index, kind] of (['item', 'xp'] as const).entries()) {
    const wide = JSON.stringify({ ...FIELDS[kind](first), ...LONG_FIELDS });
    const small = JSON.stringify({ name: String(first) });
    const snapshot = `CASE WHEN n > ${WIDE_RECORDS} THEN $5 ELSE $3 END`;
    const values = [sandboxId, kind, wide, index * ROWS, small];
    await run(
      `INSERT INTO catalogue_record (sandbox_id, kind, record_id, name, folded_name, version, head_seq, snapshot, created_at, updated_at)
       SELECT $1, $2, ${ID}, ${text(256)}, ${text(256)}, 1, n + $4, ${snapshot}, now(), now() FROM ${each()}`,
      ...values,
    );
    await run(
      `INSERT INTO catalogue_version (sandbox_id, seq, kind, record_id, version, version_id, transaction_id, operation,
         account_id, reason, issued_at, version_name, snapshot, hash, changed_fields)
       SELECT $1, n + $4, $2, ${ID}, 1, gen_random_uuid(), gen_random_uuid(), 'restore',
         ${text(256)}, ${text(1_000)}, now(), ${text(256)}, ${snapshot}, sha256(''),
         '{legacy_item_id,name,description,item_type,tags,level_xp_table_id,custom_data}' FROM ${each()}`,
      ...values,
    );
  }
  await run(
    `INSERT INTO change_set (sandbox_id, change_set_id, title, reason, state, author_id, created_at, updated_at,
       applied_transaction_id, applied_at, applied_by, apply_at, return_at, scheduled_by, failed_step, failure_code,
       failure_desc, failed_at)
     SELECT v.sandbox_id, v.version_id, ${text(256)}, ${text(1_000)}, 'applied', ${text(256)}, now(), now(),
       v.transaction_id, now(), ${text(256)}, now(), now(), ${text(256)}, 'return', 'change_set_conflict',
       ${text(500)}, now() FROM (SELECT *, seq::int AS n FROM catalogue_version) v WHERE v.sandbox_id = $1`,
    sandboxId,
  );
  await run(
    `INSERT INTO catalogue_name SELECT sandbox_id, kind, record_id, folded_name, 1 FROM catalogue_record WHERE sandbox_id = $1`,
    sandboxId,
  );
};

const fillViews = (run: Run) =>
  run(
    `INSERT INTO saved_view SELECT $1, ${ID}, 'item', ${text(256)}, ${text(256)}, true, rpad('?name=' || n, 8192, 'a'), now(), now()
     FROM ${each()}`,
    SANDBOX,
  );

/** Each version has 60 long keys, which all Items lack. */
const fillSchemas = (run: Run) =>
  run(
    `INSERT INTO item_schema_version
     SELECT $1, item_type, n, $2::jsonb, ${text(256)}, ${text(1_000)}, now(), $1, 1
     FROM ${each()}, unnest(ARRAY['unit', 'recipe', 'recipe_with_price_reduction', 'entitlement']) AS item_type`,
    SANDBOX,
    JSON.stringify(
      Array.from({ length: 60 }, (_, index) => ({
        key: widest(128, `${index}`),
        type: 'number',
        required: true,
      })),
    ),
  );

/** Every outcome of a join in every hour. */
const fillMetrics = (run: Run) =>
  run(
    `INSERT INTO metric_minute
     SELECT date_trunc('hour', now()) - n * interval '1 hour',
       '{"requests": 1234567, "errors": 12345, "latency:33": 1, "statements": 3, "statement_ms": 1}'::jsonb || $1::jsonb,
       '{"live_sessions": 12345.678, "seated_players": 12345.678, "webhook_backlog_seconds": 12345.678}'
     FROM generate_series(0, 170) n`,
    JSON.stringify(
      Object.fromEntries(RECORDED_JOIN_ERROR_CODES.map((name) => [`join:${name}`, 1_234_567])),
    ),
  );

/** Its operations change all fields of the Items. */
const fillChangeSet = async (run: Run) => {
  await run(
    `INSERT INTO change_set (sandbox_id, change_set_id, title, state, author_id, operation_count, created_at, updated_at)
     VALUES ($1, $2, 'Wide', 'draft', 'editor', ${ROWS}, now(), now())`,
    SANDBOX,
    SET,
  );
  await run(
    `INSERT INTO change_set_operation (sandbox_id, change_set_id, position, kind, record_id, operation, base_version, fields)
     SELECT $1, $2, n, 'item', ${ID}, 'update', 1, $3::json FROM ${each()}`,
    SANDBOX,
    SET,
    JSON.stringify({ ...LONG_FIELDS, tags: tags(900) }),
  );
  await run(
    `INSERT INTO change_set_comment SELECT $1, $2, ${ID}, 'comment', ${text(256)}, ${text(2_000)}, now(), NULL FROM ${each()}`,
    SANDBOX,
    SET,
  );
};

const fillAccounts = async (run: Run, accountId: string) => {
  await run(`INSERT INTO account_name SELECT ${ID}::text, 'person', ${text(128)} FROM ${each()}`);
  await run(
    `INSERT INTO account_user (id, name, email, role, sandbox_ids)
     SELECT 'u' || n, ${text(128)}, ${EMAIL}, 'viewer', ${HUNDRED_IDS} FROM ${each(1_000)}`,
  );
  await run(
    `INSERT INTO account_invitation (invitation_id, email, role, sandbox_ids, token_digest, invited_by, created_at, expires_at)
     SELECT gen_random_uuid(), ${EMAIL}, 'viewer', ${HUNDRED_IDS}, sha256(n::text::bytea), ${text(256)}, now(),
       now() + interval '1 day' FROM ${each(1_000)}`,
  );
  // A header may have tabs and quotes, of two bytes each in JSON, and no other control character.
  await run(
    `INSERT INTO account_session (id, token, user_id, expires_at, ip_address, user_agent)
     SELECT 's' || n, 't' || n, $1, now() + interval '1 day', rpad('', 39, 'f'), rpad('', 512, '"') FROM ${each(999)}`,
    accountId,
  );
  // A subject is ASCII without control characters. An issuer is a URL, which has no quotes.
  await run(
    `INSERT INTO account_login (id, provider_id, account_id, issuer, user_id)
     SELECT gen_random_uuid(), 'oidc', rpad(n || person, 255, '"'), rpad('https://', 255, 'i'), person
     FROM ${each(1_000)}, unnest($1::text[]) person`,
    [accountId, PERSON],
  );
  await run(
    `INSERT INTO service_account (account_id, name, created_at)
     SELECT gen_random_uuid(), ${text(128)}, now() FROM ${each()}`,
  );
  await run(
    `INSERT INTO service_key (key_id, account_id, name, prefix, digest, permissions, sandbox_ids, created_at, expires_at, revoked_at, last_used_at)
     SELECT gen_random_uuid(), account_id, ${text(128)}, 'msk_12345678', sha256((account_id::text || n)::bytea),
       (SELECT array_agg('session:update-player:self'::text) FROM generate_series(1, 100)), ${HUNDRED_IDS},
       now(), now(), now(), now()
     FROM (SELECT account_id FROM service_account LIMIT 4) accounts, ${each(200)}`,
  );
};

/** The first one has the most targets; the others fill a page to its last byte and its last row. */
const fillAudit = async (run: Run) => {
  const targets = (count: number) =>
    JSON.stringify({ item_ids: Array.from({ length: count }, () => randomUUID()) });
  await run(
    `INSERT INTO audit_record (audit_id, occurred_at, account_id, action, sandbox_id, target, after, reason, request_id, address)
     SELECT ${ID}, now() + n * interval '1 second', ${text(256)}, ${text(128)}, $1,
       CASE n WHEN 1 THEN $2::json ELSE $3::json END, json_build_object('name', ${text(256)}),
       ${text(1_000)}, rpad('', 128, 'r'), rpad('', 39, 'f') FROM ${each()}`,
    ...[SANDBOX, targets(2_000), targets(230)],
  );
};

/** The first one has a page of deliveries, each with the widest response. */
const fillWebhooks = async (run: Run) => {
  const kinds = Array.from({ length: 20 }, () => 'platform_session_removed');
  const secrets = Array.from({ length: 3 }, () => ({
    sealed: '',
    created_at: new Date(),
    expires_at: new Date(),
  }));
  await run(
    `INSERT INTO webhook_endpoint (endpoint_id, url, kinds, secrets, disabled_at, disabled_reason, read_from, created_at)
     SELECT ${ID}, rpad('https://', 2048, 'a'), $1, $2::json, now(), 'secret_unreadable', now(), now() FROM ${each(20)}`,
    kinds,
    JSON.stringify(secrets),
  );
  const subject = JSON.stringify({ type: '𝄞'.repeat(128), session_id: '𝄞'.repeat(128) });
  await run(
    `INSERT INTO webhook_delivery (delivery_id, endpoint_id, position, subject, events, event_count, status, attempts,
       status_code, duration_ms, response, error, created_at, attempted_at, ended_at)
     SELECT ${ID}, $1, n, $2, '[]', 100, 'delivered', 40, 500, 15000, ${text(1_024)}, rpad('', 200, 'e'), now(), now(), now()
     FROM ${each()}`,
    toId(1),
    subject,
  );
};

// The audit trail, the overview, the search, and facts about the service.
import { z } from 'zod';
import type { ProcedureReference } from './procedure.ts';
import { Count, Id, PageMeta, RecordKind, Time } from './procedure.ts';

const Values = z.record(z.string(), z.unknown());

const AuditRecord = z
  .strictObject({
    audit_id: Id,
    occurred_at: Time,
    account_id: z.string(),
    action: z.string().meta({ description: 'The procedure, such as `items.update`.' }),
    sandbox_id: Id.optional(),
    target: Values,
    target_name: z.string().nullable().meta({ description: 'Null when only its ids are known.' }),
    before: Values.optional(),
    after: Values.optional(),
    reason: z.string().optional(),
    request_id: z.string().optional(),
    address: z.string().optional(),
  })
  .meta({ id: 'AuditRecord', description: 'One change: its account, its target and its time.' });

const Maintenance = z
  .strictObject({
    enabled: z.boolean(),
    since: Time.optional(),
    account_id: z.string().optional(),
    reason: z.string().optional(),
    retry_after_seconds: Count.optional(),
  })
  .meta({
    id: 'Maintenance',
    description: 'While it is enabled, the service refuses joins and changes.',
  });

const Hash = z.string().meta({ description: 'SHA-256, in hexadecimal.' });

export const SERVICE_PROCEDURES = {
  'audit.choices': {
    summary: 'List the accounts and actions of the audit trail',
    output: z.strictObject({ account_ids: z.array(z.string()), actions: z.array(z.string()) }),
  },
  'audit.get': {
    summary: 'Read an audit record',
    output: AuditRecord,
    errors: ['audit_record_not_found'],
  },
  'audit.list': {
    summary: 'List audit records, newest first',
    output: z.strictObject({ records: z.array(AuditRecord), page_meta: PageMeta }),
  },
  'maintenance.get': {
    summary: 'Read whether maintenance is on',
    description: 'The token of a player does not see `reason` and `account_id`.',
    output: Maintenance,
  },
  'maintenance.set': {
    summary: 'Switch maintenance on or off',
    description:
      'Every process follows within three seconds. During maintenance, joins get 409 `service_overloaded`, and changes 503 `service_unavailable`, with `Retry-After`; reads, sign-in, revocation and recovery are not affected.',
    output: Maintenance,
  },
  'overview.get': {
    summary: 'Summarise a sandbox',
    output: z.strictObject({
      counts: z.strictObject({ items: Count, xp: Count, deleted: Count }),
      head_seq: Count,
      head_hash: Hash.optional(),
      live_sessions: Count.optional().meta({ description: 'Absent without `session:view`.' }),
      health: z.strictObject({ database_ms: z.number().min(0) }),
    }),
    errors: ['sandbox_not_found'],
  },
  'search.find': {
    summary: 'Find records, sessions and players',
    description: 'Finds only what the caller may view.',
    output: z.strictObject({
      records: z.array(
        z
          .strictObject({ kind: RecordKind, record_id: Id, name: z.string(), sandbox_id: Id })
          .meta({ id: 'FoundRecord' }),
      ),
      sessions: z.array(z.strictObject({ type: z.string(), session_id: z.string() })),
      players: z.array(
        z
          .strictObject({
            player_uuid: Id,
            display_name: z.string().optional(),
            player_id: z.int().optional(),
          })
          .meta({ id: 'FoundPlayer' }),
      ),
    }),
  },
  'system.get': {
    summary: 'Read facts about this process and its database',
    output: z.strictObject({
      service: z.strictObject({
        version: z.string(),
        runtime: z.string(),
        started: Time,
        pid: z.int(),
      }),
      database: z.strictObject({
        version: z.string(),
        size_bytes: Count,
        connections: Count,
        tables: z.array(
          z.strictObject({ name: z.string(), bytes: Count, rows_estimate: Count.optional() }),
        ),
      }),
      join_metrics: z.array(
        z.strictObject({
          name: z.string(),
          help: z.string(),
          values: z.array(
            z.strictObject({
              labels: z.record(z.string(), z.string()),
              value: z.number(),
            }),
          ),
        }),
      ),
      chains: z.array(
        z.strictObject({
          sandbox_id: Id,
          name: z.string(),
          head_seq: Count,
          head_hash: Hash.optional(),
        }),
      ),
    }),
  },
  'system.series': {
    summary: 'Read the activity of the last minutes',
    description:
      'Of all processes together, in intervals of 1 minute (up to 120 minutes), 10 minutes (up to a day) or 1 hour. The last interval ended at least 20 seconds ago.',
    output: z.strictObject({
      interval_seconds: z.int().min(1),
      points: z.array(
        z
          .strictObject({
            at: Time,
            requests_per_second: z.number().min(0),
            errors_per_second: z
              .number()
              .min(0)
              .meta({ description: 'Responses with a status of 500 or more.' }),
            joins_per_second: z.number().min(0),
            outcomes: z.record(z.string(), z.number()),
            p50_ms: z.number().min(0).optional(),
            p99_ms: z.number().min(0).optional(),
            database_ms: z
              .number()
              .min(0)
              .optional()
              .meta({ description: 'The mean duration of a database statement.' }),
            live_sessions: z.number().min(0).optional(),
            seated_players: z.number().min(0).optional(),
            webhook_backlog_seconds: z
              .number()
              .min(0)
              .optional()
              .meta({ description: 'The age of the oldest pending delivery.' }),
          })
          .meta({ id: 'SeriesPoint' }),
      ),
    }),
  },
  'verification.check': {
    summary: 'Verify a part of the hash chain of a sandbox',
    description: 'Call it with `checked_to_seq` as `after_seq` until `done`.',
    output: z.strictObject({
      checked_to_seq: Count,
      head_seq: Count,
      head_hash: Hash.optional(),
      done: z.boolean(),
      broken: z
        .strictObject({
          seq: Count,
          version_id: Id.optional(),
          what: z.string(),
          expected: z.string().optional(),
          found: z.string().optional(),
        })
        .optional()
        .meta({ description: 'The first version that does not fit its hash.' }),
    }),
    errors: ['sandbox_not_found'],
  },
} satisfies Record<string, ProcedureReference>;

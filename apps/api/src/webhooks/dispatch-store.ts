// What the dispatcher reads and writes. One transaction for each endpoint and step, under the lock of the endpoint: it stores results,
// adds events with the new cursor, and takes what is due.
import type { Database } from '@muster/database';
import { Prisma, runAlone } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import type { StoredEvent } from '../events/index.ts';
import { appendToOutbox } from '../events/index.ts';
import { appendAudit, SERVICE_ACCOUNT } from '../platform/index.ts';
import { groupEvents, isSuccess, retryDelayMs, subjectOf } from './dispatch-rules.ts';
import { originOf } from './webhook-address.ts';
import {
  EVENTS_PER_DELIVERY,
  EXCHANGE_MS,
  KEPT_DELIVERIES,
  KEPT_MS,
  LEASE_MS,
  RETRIED_MS,
} from './webhook-limits.ts';
import type { Attempt } from './webhook-sender.ts';
import type { SourceCursor } from './webhook-sources.ts';
import { lockEndpoint, readClock } from './webhook-store.ts';
import type { DisabledReason, EndpointRow } from './webhook-views.ts';

/** A delivery that this process sends now. */
export type ClaimedDelivery = {
  deliveryId: string;
  subject: string;
  events: StoredEvent[];
  attempts: number;
  createdAt: Date;
};

export type DeliveryResult = { delivery: ClaimedDelivery; attempt: Attempt };

export type SourceStep = {
  /** Of the endpoint when the source was read. After a resume, the step does nothing. */
  cursorVersion: number;
  events: readonly StoredEvent[];
  /** Null: the stored cursor is of another database or too old. The source is read from its start, without the events before `readFrom`. */
  cursor: SourceCursor | null;
  readFrom?: Date;
};

type Exchange = {
  now: Date;
  results: readonly DeliveryResult[];
  page: SourceStep | null;
  /** Requests that may begin. */
  free: number;
};

type Exchanged = {
  claimed: readonly ClaimedDelivery[];
  /** Of the cursor that was stored; null when none was. */
  cursorVersion: number | null;
  /** Deliveries that have not ended, after the step. */
  pending: number;
};
const NOTHING: Exchanged = { claimed: [], cursorVersion: null, pending: 0 };

/** Any number that is the same in every process. */
const DISPATCH_LOCK = '725346081268';
const DELETED_PER_STEP = 2_000;

export type DispatchStore = ReturnType<typeof createDispatchStore>;

export const createDispatchStore = ({ pool, prisma }: Pick<Database, 'pool' | 'prisma'>) => ({
  runAlone: (work: (confirm: () => Promise<unknown>) => Promise<void>) =>
    runAlone(pool, DISPATCH_LOCK, work),

  readClock: () => readClock(prisma),

  listEnabled: (): Promise<EndpointRow[]> =>
    prisma.webhookEndpoint.findMany({ where: { disabledAt: null } }),

  exchange: (endpointId: string, step: Exchange): Promise<Exchanged> => {
    const work = async (transaction: Prisma.TransactionClient) => {
      const row = await lockEndpoint(transaction, endpointId);
      if (!row) return NOTHING;
      const { reason, delivered } = await storeResults(transaction, row, step.results, step.now);
      if (row.disabledAt) return NOTHING;
      if (reason) {
        await disable(transaction, row, reason, step.now);
        return NOTHING;
      }
      const isCurrent = step.page?.cursorVersion === row.cursorVersion;
      const page = isCurrent ? step.page : null;
      const added = page ? await addEvents(transaction, row, page, step.now) : 0;
      const claimed = step.free > 0 ? await claim(transaction, endpointId, step) : [];
      const pending = row.pending - delivered + added;
      return { claimed, cursorVersion: isCurrent ? row.cursorVersion + 1 : null, pending };
    };
    return prisma.$transaction(work, { timeout: EXCHANGE_MS });
  },

  disable: (endpointId: string, reason: DisabledReason, now: Date): Promise<void> =>
    prisma.$transaction(async (transaction) => {
      const row = await lockEndpoint(transaction, endpointId);
      if (row && !row.disabledAt) await disable(transaction, row, reason, now);
    }),

  /** Deletes deliveries that are old, or more than are kept. Returns false when there may be more. */
  deleteOld: async (now: Date): Promise<boolean> => {
    const before = new Date(now.getTime() - KEPT_MS);
    const endpoints = await prisma.webhookEndpoint.findMany({ select: { endpointId: true } });
    let isDone = true;
    for (const { endpointId } of endpoints) {
      const deleted = await prisma.$executeRaw`
        DELETE FROM webhook_delivery WHERE delivery_id IN (
          SELECT d.delivery_id FROM webhook_delivery d
          WHERE d.endpoint_id = ${endpointId}::uuid AND d.ended_at <= greatest(${before}::timestamptz, (
            SELECT k.ended_at FROM webhook_delivery k WHERE k.endpoint_id = ${endpointId}::uuid AND k.ended_at IS NOT NULL
            ORDER BY k.ended_at DESC OFFSET ${KEPT_DELIVERIES} LIMIT 1))
          ORDER BY d.ended_at LIMIT ${DELETED_PER_STEP})`;
      if (deleted === DELETED_PER_STEP) isDone = false;
    }
    return isDone;
  },

  /** Of all enabled webhooks; the age is that of the oldest pending delivery, in seconds, however old its events are. */
  measureBacklog: async (): Promise<{ pending: number; ageSeconds: number; disabled: number }> => {
    const [row] = await prisma.$queryRaw<{ pending: number; age: number; disabled: number }[]>`
      SELECT coalesce(sum(e.pending) FILTER (WHERE e.disabled_at IS NULL), 0)::int AS pending,
        count(*) FILTER (WHERE e.disabled_at IS NOT NULL AND e.disabled_reason <> 'by_request')::int AS disabled,
        coalesce(extract(epoch FROM clock_timestamp() - min(o.created_at)), 0)::float8 AS age
      FROM webhook_endpoint e LEFT JOIN LATERAL (
        SELECT d.created_at FROM webhook_delivery d
        WHERE e.disabled_at IS NULL AND d.endpoint_id = e.endpoint_id AND d.status = 'pending'
        ORDER BY d.position LIMIT 1) o ON true`;
    const { pending = 0, age = 0, disabled = 0 } = row ?? {};
    return { pending, ageSeconds: Math.max(0, age), disabled };
  },
});

type StoredResult = {
  subject: string;
  status: string;
  statusCode: number | null;
  failingSince: Date | null;
};

type StoredResults = {
  /** To disable the endpoint. */
  reason: DisabledReason | null;
  /** How many deliveries ended. */
  delivered: number;
};

/** A delivery that has already ended is unchanged. */
const storeResults = async (
  transaction: Prisma.TransactionClient,
  { endpointId }: EndpointRow,
  results: readonly DeliveryResult[],
  now: Date,
): Promise<StoredResults> => {
  if (results.length === 0) return { reason: null, delivered: 0 };
  const rows = JSON.stringify(results.map((result) => toRow(result, now)));
  const stored = await transaction.$queryRaw<StoredResult[]>`
    UPDATE webhook_delivery d SET status = r.status, status_code = r.status_code, duration_ms = r.duration_ms,
      response = r.response, error = r.error, lease_until = NULL, next_attempt_at = r.next_attempt_at,
      ended_at = CASE WHEN r.status = 'delivered' THEN ${now}::timestamptz END,
      failing_since = CASE WHEN r.status = 'pending' THEN coalesce(d.failing_since, ${now}::timestamptz) END
    FROM json_to_recordset(${rows}::json) AS r(delivery_id uuid, status text, status_code int, duration_ms int,
      response text, error text, next_attempt_at timestamptz)
    WHERE d.delivery_id = r.delivery_id AND d.endpoint_id = ${endpointId}::uuid AND d.status = 'pending'
    RETURNING d.subject, d.status, d.status_code AS "statusCode", d.failing_since AS "failingSince"`;
  const subjects = stored.flatMap(({ status, subject }) => (status === 'delivered' ? subject : []));
  const delivered = subjects.length;
  if (delivered > 0) {
    await transaction.webhookEndpoint.update({
      where: { endpointId },
      data: { pending: { decrement: delivered } },
    });
    await transaction.$executeRaw`
      UPDATE webhook_delivery SET next_attempt_at = ${now}::timestamptz WHERE next_attempt_at IS NULL AND delivery_id IN (
        SELECT DISTINCT ON (subject) delivery_id FROM webhook_delivery
        WHERE endpoint_id = ${endpointId}::uuid AND status = 'pending' AND subject = ANY(${subjects}::text[])
        ORDER BY subject, position)`;
  }
  if (stored.some(({ statusCode }) => statusCode === 410)) return { reason: 'gone', delivered };
  const since = now.getTime() - RETRIED_MS;
  const isFailing = stored.some(
    ({ failingSince }) => failingSince && failingSince.getTime() <= since,
  );
  return { reason: isFailing ? 'failing' : null, delivered };
};

const toRow = ({ delivery, attempt }: DeliveryResult, now: Date) => {
  const { deliveryId, attempts } = delivery;
  const { statusCode, durationMs, response, error, retryAfterMs } = attempt;
  const isDelivered = isSuccess(statusCode);
  const retryAt = new Date(now.getTime() + retryDelayMs(attempts, retryAfterMs));
  return {
    delivery_id: deliveryId,
    status: isDelivered ? 'delivered' : 'pending',
    status_code: statusCode,
    duration_ms: durationMs,
    response,
    error,
    next_attempt_at: isDelivered ? null : retryAt,
  };
};

const disable = async (
  transaction: Prisma.TransactionClient,
  { endpointId, url, version }: EndpointRow,
  reason: DisabledReason,
  now: Date,
): Promise<void> => {
  await transaction.webhookEndpoint.update({
    where: { endpointId },
    data: { disabledAt: now, disabledReason: reason, version: version + 1 },
  });
  const occurred = { event_id: uuidv7(), occurred_at: now, account_id: SERVICE_ACCOUNT };
  await appendToOutbox(transaction, endpointId, [
    { ...occurred, kind: 'webhook_disabled', webhook_id: endpointId, detail: { reason } },
  ]);
  const target = { webhook_id: endpointId, url: originOf(url) };
  const entry = { action: 'webhooks.disable', target, after: { reason } };
  await appendAudit(transaction, { accountId: SERVICE_ACCOUNT }, entry, now);
};

/** Stores events as deliveries, and the cursor behind them. Returns the number of new deliveries. */
const addEvents = async (
  transaction: Prisma.TransactionClient,
  row: EndpointRow,
  { events, cursor, readFrom }: SourceStep,
  now: Date,
): Promise<number> => {
  const { endpointId } = row;
  const wanted = events.filter(({ occurred_at }) => new Date(occurred_at) >= row.readFrom);
  const subjects = [...new Set(wanted.map(subjectOf))];
  const last = await findLastPending(transaction, endpointId, subjects);
  const rooms = new Map(last.map((each) => [each.subject, roomOf(each)]));
  const open = new Map(last.filter((each) => roomOf(each) > 0).map((each) => [each.subject, each]));
  const busy = new Set(last.map(({ subject }) => subject));
  let position = row.lastPosition;
  const rows: Prisma.WebhookDeliveryCreateManyInput[] = [];
  const extensions: Extension[] = [];
  for (const group of groupEvents(wanted, rooms)) {
    const { subject } = group;
    const extended = open.get(subject);
    open.delete(subject);
    if (extended) {
      extensions.push({ delivery_id: extended.deliveryId, added: group.events });
      continue;
    }
    position += 1n;
    rows.push({
      deliveryId: uuidv7(),
      endpointId,
      position,
      subject,
      events: group.events as unknown as Prisma.InputJsonArray,
      eventCount: group.events.length,
      nextAttemptAt: busy.has(subject) ? null : now,
      createdAt: now,
    });
    busy.add(subject);
  }
  if (extensions.length > 0) await extend(transaction, extensions);
  if (rows.length > 0) await transaction.webhookDelivery.createMany({ data: rows });
  await transaction.webhookEndpoint.update({
    where: { endpointId },
    data: {
      cursor: cursor ?? Prisma.DbNull,
      cursorVersion: row.cursorVersion + 1,
      lastPosition: position,
      pending: { increment: rows.length },
      ...(readFrom && { readFrom }),
    },
  });
  return rows.length;
};

type LastPending = {
  subject: string;
  deliveryId: string;
  eventCount: number;
  attemptedAt: Date | null;
};

/** The last pending delivery of each subject that has one. */
const findLastPending = (
  transaction: Prisma.TransactionClient,
  endpointId: string,
  subjects: readonly string[],
): Promise<LastPending[]> =>
  transaction.$queryRaw<LastPending[]>`
    SELECT DISTINCT ON (subject) subject, delivery_id AS "deliveryId", event_count AS "eventCount",
      attempted_at AS "attemptedAt"
    FROM webhook_delivery
    WHERE endpoint_id = ${endpointId}::uuid AND status = 'pending' AND subject = ANY(${subjects}::text[])
    ORDER BY subject, position DESC`;

/** A delivery that was sent once keeps its events: receivers know it by its id. */
const roomOf = ({ attemptedAt, eventCount }: LastPending): number =>
  attemptedAt ? 0 : EVENTS_PER_DELIVERY - eventCount;

type Extension = { delivery_id: string; added: readonly StoredEvent[] };

/** Not as jsonb, which cannot have every text that json can. */
const extend = async (
  transaction: Prisma.TransactionClient,
  extensions: readonly Extension[],
): Promise<void> => {
  await transaction.$executeRaw`
    UPDATE webhook_delivery d SET event_count = d.event_count + json_array_length(a.added),
      events = (SELECT json_agg(event ORDER BY part, number) FROM (
        SELECT 1 AS part, e.number, e.event FROM json_array_elements(d.events) WITH ORDINALITY AS e(event, number)
        UNION ALL
        SELECT 2, e.number, e.event FROM json_array_elements(a.added) WITH ORDINALITY AS e(event, number)) every)
    FROM json_to_recordset(${JSON.stringify(extensions)}::json) AS a(delivery_id uuid, added json)
    WHERE d.delivery_id = a.delivery_id`;
};

/** Takes due deliveries. Another process takes them only after the lease, when this one no longer sends them. */
const claim = (
  transaction: Prisma.TransactionClient,
  endpointId: string,
  { now, free }: Exchange,
): Promise<ClaimedDelivery[]> => {
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  return transaction.$queryRaw<ClaimedDelivery[]>`
    UPDATE webhook_delivery d SET attempts = d.attempts + 1, attempted_at = ${now}::timestamptz,
      lease_until = ${leaseUntil}::timestamptz
    WHERE d.delivery_id IN (
      SELECT c.delivery_id FROM webhook_delivery c
      WHERE c.endpoint_id = ${endpointId}::uuid AND c.status = 'pending' AND c.next_attempt_at <= ${now}::timestamptz
        AND coalesce(c.lease_until, '-infinity') <= ${now}::timestamptz
      ORDER BY c.next_attempt_at, c.position LIMIT ${free})
    RETURNING d.delivery_id AS "deliveryId", d.subject, d.events, d.attempts, d.created_at AS "createdAt"`;
};

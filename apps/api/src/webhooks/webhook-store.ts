// Stores webhooks and their deliveries for the admin API. The dispatcher has a store of its own.
import type { Database } from '@muster/database';
import { Prisma } from '@muster/database';
import { EXCHANGE_MS } from './webhook-limits.ts';
import type { DeliveryStatus, EndpointRow } from './webhook-views.ts';

/** A change waits for a step of the dispatcher. */
const CHANGE_MS = EXCHANGE_MS + 5_000;
/** Deleted in one statement. */
const DELIVERIES_PER_DELETE = 5_000;

export type WebhookStore = ReturnType<typeof createWebhookStore>;

export const createWebhookStore = ({ prisma }: Pick<Database, 'prisma'>) => ({
  inTransaction: <Result>(work: (transaction: Prisma.TransactionClient) => Promise<Result>) =>
    prisma.$transaction(work, { timeout: CHANGE_MS }),

  list: (): Promise<EndpointRow[]> =>
    prisma.webhookEndpoint.findMany({ orderBy: { endpointId: 'asc' } }),

  find: (endpointId: string): Promise<EndpointRow | null> =>
    prisma.webhookEndpoint.findUnique({ where: { endpointId } }),

  /** Deliveries before a position, newest first; one more than `limit` when there are more. */
  listDeliveries: (endpointId: string, { before, status, limit }: DeliveryPage) =>
    prisma.webhookDelivery.findMany({
      omit: { events: true },
      where: {
        endpointId,
        ...(status !== undefined && { status }),
        ...(before !== null && { position: { lt: before } }),
      },
      orderBy: { position: 'desc' },
      take: limit + 1,
    }),

  /** Deletes deliveries in steps, so that no statement takes long. */
  deleteDeliveries: async (endpointId: string): Promise<void> => {
    for (let deleted = 1; deleted > 0; ) {
      deleted = await prisma.$executeRaw`
        DELETE FROM webhook_delivery WHERE delivery_id IN (
          SELECT delivery_id FROM webhook_delivery WHERE endpoint_id = ${endpointId}::uuid LIMIT ${DELIVERIES_PER_DELETE})`;
    }
  },
});

type DeliveryPage = {
  /** Null: from the newest one. */
  before: bigint | null;
  status: DeliveryStatus | undefined;
  limit: number;
};

/** The time of the database, which all processes share. */
export const readClock = async (
  client: Pick<Prisma.TransactionClient, '$queryRaw'>,
): Promise<Date> => {
  const [row] = await client.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
  return row?.now ?? new Date();
};

/** Waits for other changes of the endpoint. */
export const lockEndpoint = async (
  transaction: Prisma.TransactionClient,
  endpointId: string,
): Promise<EndpointRow | null> => {
  await transaction.$queryRaw`
    SELECT 1 FROM webhook_endpoint WHERE endpoint_id = ${endpointId}::uuid FOR UPDATE`;
  return transaction.webhookEndpoint.findUnique({ where: { endpointId } });
};

/** No two changes of the list of endpoints run at once. */
export const lockEndpoints = async (transaction: Prisma.TransactionClient): Promise<void> => {
  await transaction.$queryRaw`SELECT pg_advisory_xact_lock(725346081269)::text`;
};

/** Whether another delivery of the subject is pending. */
export const hasPending = async (
  transaction: Prisma.TransactionClient,
  endpointId: string,
  subject: string,
): Promise<boolean> =>
  (await transaction.webhookDelivery.findFirst({
    select: { deliveryId: true },
    where: { endpointId, subject, status: 'pending' },
  })) !== null;

/** Ends all pending deliveries without sending them. */
export const dropPending = async (
  transaction: Prisma.TransactionClient,
  endpointId: string,
  now: Date,
): Promise<void> => {
  await transaction.webhookDelivery.updateMany({
    where: { endpointId, status: 'pending' },
    data: { status: 'failed', error: 'replaced by a resume', endedAt: now, nextAttemptAt: null },
  });
};

/** The feed is read from its oldest event on, and earlier events than the moment are left out. */
export const restartFrom = async (
  transaction: Prisma.TransactionClient,
  { endpointId, cursorVersion }: EndpointRow,
  readFrom: Date,
): Promise<void> => {
  await transaction.webhookEndpoint.update({
    where: { endpointId },
    data: { cursor: Prisma.DbNull, cursorVersion: cursorVersion + 1, readFrom },
  });
};

/** Retries at once what failed before, and counts the time of its failures anew. */
export const retryPending = async (
  transaction: Prisma.TransactionClient,
  endpointId: string,
  now: Date,
): Promise<void> => {
  await transaction.webhookDelivery.updateMany({
    where: { endpointId, status: 'pending', nextAttemptAt: { not: null } },
    data: { nextAttemptAt: now, failingSince: null },
  });
};

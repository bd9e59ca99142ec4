// Maintenance: joins and changes are refused, reads are answered. One row in the database switches it for all processes.
import { MAINTENANCE_DESC } from '@muster/contract';
import type { Database, Prisma } from '@muster/database';
import type { Actor } from '../platform/index.ts';
import { appendAudit, repeat, ServiceError } from '../platform/index.ts';

/** How often each process reads the row. */
const READ_MS = 2_000;

export const DEFAULT_RETRY_AFTER_SECONDS = 60;
export const MAX_RETRY_AFTER_SECONDS = 3_600;
export const MAX_MAINTENANCE_REASON = 1_000;

export type MaintenanceState = {
  enabled: boolean;
  /** RFC 3339. */
  since?: string;
  account_id?: string;
  reason?: string;
  retry_after_seconds?: number;
};

type MaintenanceChange = {
  enabled: boolean;
  reason?: string | undefined;
  retryAfterSeconds: number;
};

export type Maintenance = ReturnType<typeof createMaintenance>;

type MaintenanceOptions = {
  database: Pick<Database, 'prisma'>;
  /** Called when the row cannot be read; the last known state stays in effect. */
  onFailure: (error: unknown) => void;
};

export const createMaintenance = ({ database: { prisma }, onFailure }: MaintenanceOptions) => {
  let known: MaintenanceState = { enabled: false };
  let changes = 0;

  const read = async (): Promise<MaintenanceState> => {
    const begunAt = changes;
    const state = await readMaintenance(prisma);
    // A change of this process is newer than a read that began before it.
    if (begunAt === changes) known = state;
    return state;
  };

  return {
    read,

    /** As this process last read it. */
    isOn: (): boolean => known.enabled,

    set: async (actor: Actor, change: MaintenanceChange): Promise<MaintenanceState> => {
      const state = await setMaintenance(prisma, actor, change);
      changes += 1;
      known = state;
      return state;
    },

    /** Throws `service_unavailable` during maintenance. A join answers it as `service_overloaded`. */
    refuseChanges: (): void => {
      const { enabled, retry_after_seconds: seconds = DEFAULT_RETRY_AFTER_SECONDS } = known;
      if (!enabled) return;
      // Clients that are refused together should not retry together.
      const retryAfterSeconds = seconds + Math.floor((Math.random() * seconds) / 2);
      throw new ServiceError('service_unavailable', {
        desc: MAINTENANCE_DESC,
        retryAfterSeconds,
        isPlanned: true,
      });
    },

    /** Reads the row before the first request. A failure does not prevent the start. */
    prepare: async (): Promise<void> => {
      await read().catch(onFailure);
    },

    /** Reads the row at intervals. Call the result to stop. */
    start: (): (() => Promise<void>) => repeat(read, { intervalMs: READ_MS, onFailure }),
  };
};

type Row = { since: Date; accountId: string; reason: string | null; retryAfterSeconds: number };

const toState = (row: Row | null): MaintenanceState =>
  row === null
    ? { enabled: false }
    : {
        enabled: true,
        since: row.since.toISOString(),
        account_id: row.accountId,
        ...(row.reason !== null && { reason: row.reason }),
        retry_after_seconds: row.retryAfterSeconds,
      };

export const readMaintenance = async (
  prisma: Pick<Prisma.TransactionClient, 'maintenance'>,
): Promise<MaintenanceState> => toState(await prisma.maintenance.findFirst());

/** Writes the row and an audit record in one transaction, and nothing where nothing changes. */
export const setMaintenance = (
  prisma: Database['prisma'],
  actor: Actor,
  { enabled, reason, retryAfterSeconds }: MaintenanceChange,
): Promise<MaintenanceState> =>
  prisma.$transaction(async (transaction) => {
    const before = await transaction.maintenance.findFirst();
    const now = new Date();
    if (!enabled) {
      const { count } = await transaction.maintenance.deleteMany();
      if (count > 0) await audit(transaction, actor, { before, after: null }, now);
      return toState(null);
    }
    const wanted = { reason: reason ?? null, retryAfterSeconds };
    const isSame =
      before?.reason === wanted.reason && before.retryAfterSeconds === retryAfterSeconds;
    if (isSame) return toState(before);
    const after = await transaction.maintenance.upsert({
      where: { only: true },
      create: { ...wanted, since: now, accountId: actor.accountId },
      update: wanted,
    });
    await audit(transaction, actor, { before, after }, now);
    return toState(after);
  });

type Switch = { before: Row | null; after: Row | null };

const audit = (
  transaction: Prisma.TransactionClient,
  actor: Actor,
  { before, after }: Switch,
  now: Date,
): Promise<void> => {
  const reason = after?.reason ?? null;
  const entry = {
    action: 'maintenance.set',
    target: {},
    before: describe(before),
    after: describe(after),
    ...(reason !== null && { reason }),
  };
  return appendAudit(transaction, actor, entry, now);
};

const describe = (row: Row | null): Prisma.InputJsonObject => ({
  enabled: row !== null,
  ...(row && { retry_after_seconds: row.retryAfterSeconds }),
});

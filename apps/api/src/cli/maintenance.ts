// Switches maintenance for all processes of a service.
import {
  DEFAULT_RETRY_AFTER_SECONDS,
  MAX_MAINTENANCE_REASON,
  MAX_RETRY_AFTER_SECONDS,
  readMaintenance,
  setMaintenance,
} from '../operations/index.ts';
import type { Actor } from '../platform/index.ts';
import { loadConfig, SERVICE_ACCOUNT } from '../platform/index.ts';
import { UsageError } from './usage-error.ts';
import { withDatabase } from './with-database.ts';

const ACTOR: Actor = { accountId: SERVICE_ACCOUNT };

export const runMaintenanceStatus = (): Promise<void> =>
  withDatabase(loadConfig(process.env), async ({ prisma }) => {
    print(await readMaintenance(prisma));
  });

type OnOptions = { reason?: string; retryAfter?: string };

/** Throws UsageError, StartError and errors of the database. */
export const runMaintenanceOn = async ({ reason, retryAfter }: OnOptions): Promise<void> => {
  if (reason !== undefined && (reason.trim() === '' || reason.length > MAX_MAINTENANCE_REASON)) {
    throw new UsageError(`--reason needs a text of 1 to ${MAX_MAINTENANCE_REASON} characters`);
  }
  const retryAfterSeconds = readSeconds(retryAfter);
  const change = { enabled: true, reason, retryAfterSeconds };
  await withDatabase(loadConfig(process.env), async ({ prisma }) => {
    print(await setMaintenance(prisma, ACTOR, change));
  });
};

export const runMaintenanceOff = (): Promise<void> =>
  withDatabase(loadConfig(process.env), async ({ prisma }) => {
    const change = { enabled: false, retryAfterSeconds: DEFAULT_RETRY_AFTER_SECONDS };
    print(await setMaintenance(prisma, ACTOR, change));
  });

const readSeconds = (written = String(DEFAULT_RETRY_AFTER_SECONDS)): number => {
  const seconds = /^\d{1,4}$/.test(written) ? Number(written) : 0;
  if (seconds < 1 || seconds > MAX_RETRY_AFTER_SECONDS) {
    throw new UsageError(`--retry-after needs whole seconds, 1 to ${MAX_RETRY_AFTER_SECONDS}`);
  }
  return seconds;
};

const print = (state: Awaited<ReturnType<typeof readMaintenance>>): void => {
  const { enabled, since, account_id, reason, retry_after_seconds } = state;
  const facts = [
    `on since ${since}`,
    `switched by ${account_id}`,
    `Retry-After from ${retry_after_seconds} s`,
    ...(reason === undefined ? [] : [`reason: ${reason}`]),
  ];
  process.stdout.write(`${enabled ? facts.join(', ') : 'off'}\n`);
};

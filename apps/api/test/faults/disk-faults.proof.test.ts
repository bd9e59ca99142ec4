// The disk of the data folder is full for a while.
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { injectFault, PROMISED_MS, SCALE } from './inject-fault.ts';
import { findFailures } from './join-load.ts';
import { readOwnDatabase, SECRET } from './test-bed.ts';
import { NOTHING_LOST } from './verify-outcome.ts';

const DISK = 'size=400m,mode=711';

/** A separate disk in memory. Null when this user may not mount one. */
const mountDisk = (): string | null => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-disk-'));
  chmodSync(folder, 0o711);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', DISK, 'tmpfs', folder], { stdio: 'ignore' });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    return null;
  }
};

const disk = mountDisk();
let service: ServiceProcess | undefined;
beforeAll(async () => {
  if (disk === null) return;
  service = await startServiceProcess({ DATA_DIR: join(disk, 'data'), AUTH_JWT_SECRET: SECRET });
});
afterAll(async () => {
  if (disk === null) return;
  expect(await service?.stop()).toBe(0);
  execFileSync('umount', [disk]);
  rmSync(disk, { recursive: true });
});

const filler = join(disk ?? '', 'filler');

/** Fills the disk completely, including space that is freed while it runs. */
const fillDisk = async (): Promise<void> => {
  const file = await open(filler, 'a');
  const piece = Buffer.alloc(64 * 1024);
  try {
    for (;;) await file.write(piece);
  } catch (error) {
    expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
  } finally {
    await file.close();
  }
};

const readUrl = async () => (await readOwnDatabase(join(disk ?? '', 'data'))).url;

// `node scripts/run.mjs faults` reports a fault that could not be tested without a mount; `npm test` runs anywhere.
test.skipIf(disk === null && SCALE === 1)(
  'loses nothing when the disk is full, and continues when there is space',
  async () => {
    if (disk === null) throw new Error('No disk can be mounted here: this fault needs root.');
    const seen = await injectFault({
      baseUrls: [service?.baseUrl ?? ''],
      databaseUrl: readUrl,
      seconds: 5,
      begin: fillDisk,
      end: () => rm(filler),
    });
    expect(seen.outcome).toEqual(NOTHING_LOST);
    expect(seen.lost).toBe(0);
    expect(findFailures(seen.joins)).toEqual(['service_overloaded']);
    expect(seen.joins).toMatchObject({ violations: [], unanswered: 0 });
    expect(seen.joins.slowest).toBeLessThan(PROMISED_MS);
    expect(seen.recoveryMs).toBeLessThan(PROMISED_MS);
    // Existing data can be read, except while PostgreSQL itself restarts.
    const statuses = seen.histories.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  },
);

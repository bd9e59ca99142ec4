// Two services on one database, with wrong clocks, for the proofs of change sets.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAdminCaller } from '../admin-caller.ts';
import type { ServiceProcess } from '../service-process.ts';
import { startServiceProcess } from '../service-process.ts';
import { authorise, SECRET } from './test-bed.ts';

const HOUR_SECONDS = 60 * 60;
/** Moments of change sets are by the clock of the database, so the clocks of the services must not matter. */
const SKEWS = [20 * HOUR_SECONDS, -20 * HOUR_SECONDS];

export type Processes = Awaited<ReturnType<typeof startProcesses>>;

export const startProcesses = async (databaseUrl: string) => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-clocks-'));
  const running: (ServiceProcess | null)[] = SKEWS.map(() => null);

  const start = async (index: number): Promise<void> => {
    const file = join(folder, String(index));
    await writeFile(file, String(SKEWS[index]));
    running[index] ??= await startServiceProcess({
      DATABASE_URL: databaseUrl,
      AUTH_JWT_SECRET: SECRET,
      CLOCK_SKEW_FILE: file,
      NODE_OPTIONS: `--import=${join(import.meta.dirname, 'skewed-clock.ts')}`,
    });
  };
  const startAll = () => Promise.all(SKEWS.map((_, index) => start(index)));
  await startAll();

  const get = (index: number): ServiceProcess => {
    const service = running[index];
    if (!service) throw new Error(`Process ${index} does not run.`);
    return service;
  };
  const authorization = await makeKey(get(0).baseUrl);

  return {
    /** Starts those that do not run. */
    startAll,
    kill: async (index: number): Promise<void> => {
      const { child } = get(index);
      running[index] = null;
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await ended;
    },
    freeze: (index: number) => void get(index).child.kill('SIGSTOP'),
    thaw: (index: number) => void get(index).child.kill('SIGCONT'),
    /** Calls a procedure of one process. */
    mutate: async (index: number, procedure: string, input: object) => {
      const admin = createAdminCaller(get(index).baseUrl, { authorization });
      return admin.mutate(procedure, input);
    },
    /** Resolves with the exit codes. */
    stop: async () => {
      const codes = await Promise.all(running.map((service) => service?.stop()));
      await rm(folder, { recursive: true });
      return codes;
    },
  };
};

/** Only a person or a key can schedule a set. Returns the header of a new key. */
export const makeKey = async (baseUrl: string): Promise<string> => {
  const admin = createAdminCaller(baseUrl, { authorization: await authorise('owner', '*') });
  const account = await admin.mutate<{ account_id: string }>('keys.createAccount', {
    name: 'live-ops',
  });
  const { data } = await admin.mutate<{ key: string }>('keys.create', {
    account_id: account.data.account_id,
    name: 'sales',
    permissions: ['sandbox:*'],
  });
  return `Bearer ${data.key}`;
};

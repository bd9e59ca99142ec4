// Writes one file for people who help with a problem. It contains no secret, no player and no record.
import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Config } from '../platform/index.ts';
import {
  ConfigError,
  loadConfig,
  nameRuntime,
  readDependencies,
  readVersion,
  showSettings,
  withUserMessage,
} from '../platform/index.ts';
import { reportDatabase } from './database-report.ts';
import { examineForReport } from './doctor.ts';
import { toFileTime } from './file-time.ts';
import { reportMetrics } from './metrics-report.ts';
import { noteFailure } from './note-failure.ts';
import { UsageError } from './usage-error.ts';

type SupportBundleOptions = { to?: string; metrics?: string };

/** Never overwrites a file. A part that cannot be made has a note with the reason. Throws UsageError and StartError. */
export const runSupportBundle = async ({ to, metrics }: SupportBundleOptions): Promise<void> => {
  const address = metrics === undefined ? undefined : readAddress(metrics);
  const madeAt = new Date();
  const path = resolve(to ?? `muster-support-${toFileTime(madeAt)}.json`);
  const file = await withUserMessage(`Cannot write ${path}`, () => open(path, 'wx', 0o600));
  let isComplete = false;
  try {
    const bundle = await makeBundle(madeAt, address);
    await withUserMessage(`Cannot write ${path}`, () =>
      file.writeFile(`${JSON.stringify(bundle, null, 2)}\n`),
    );
    isComplete = true;
  } finally {
    await file.close();
    if (!isComplete) await rm(path, { force: true });
  }
  process.stdout.write(`${path}\n`);
  process.stderr.write('It contains no secret. Read it before you send it to others.\n');
};

const readAddress = (text: string): URL => {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new UsageError(
      '--metrics is the address of the service, such as http://127.0.0.1:3000, without a user and a password',
    );
  }
  return url;
};

const makeBundle = async (madeAt: Date, address: URL | undefined) => {
  const config = readConfig();
  return {
    made_at: madeAt.toISOString(),
    versions: {
      muster: readVersion(),
      runtime: nameRuntime(),
      system: `${process.platform}-${process.arch}`,
      libraries: process.versions,
      dependencies: await noteFailure(async () => readDependencies()),
    },
    settings: showSettings(process.env),
    doctor: await examineForReport(),
    database: config ? await noteFailure(() => reportDatabase(config)) : INVALID_SETTINGS,
    metrics: await describeMetrics(config, address),
    last_errors: {
      note: 'Muster stores no errors. Its log has them: add the lines with "level":50 and "level":60.',
    },
  };
};

const INVALID_SETTINGS = { note: 'The settings are not valid: see the checks of doctor.' };

const readConfig = (): Config | undefined => {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) return undefined;
    throw error;
  }
};

const describeMetrics = async (config: Config | undefined, address: URL | undefined) => {
  if (!address) return { note: 'No address of a running service was given (--metrics).' };
  return config ? noteFailure(() => reportMetrics(address, config)) : INVALID_SETTINGS;
};

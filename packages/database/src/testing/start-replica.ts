// A replica of a fragile server: a physical copy that follows it by streaming, as an operator would set one up.
import { appendFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withClient } from '../client.ts';
import { locateDataFolder } from '../embedded/data-folder.ts';
import { chooseServerUser, handOverOne, runProgram } from '../embedded/programs.ts';
import type { FragilePostgres } from './fragile-postgres.ts';
import { makeFragileFolder, prepareServer, run } from './fragile-postgres.ts';

export type TestReplica = FragilePostgres & {
  /** The replica still receives the log, but does not apply it. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Makes a primary of it. Resolves when it takes writes. */
  promote(): Promise<void>;
};

export async function startReplica(primary: FragilePostgres): Promise<TestReplica> {
  const dataDir = await makeFragileFolder();
  await copyFiles(primary, dataDir);
  const replica = await prepareServer(dataDir);
  await replica.start();
  return {
    ...replica,
    pause: () => run(replica.url, 'SELECT pg_wal_replay_pause()'),
    resume: () => run(replica.url, 'SELECT pg_wal_replay_resume()'),
    promote: () => promote(replica.url),
  };
}

/** Waits by asking: recovery may cancel a statement that waits for its end, because of its snapshot. */
async function promote(url: string): Promise<void> {
  await run(url, 'SELECT pg_promote(false)');
  const isPrimary = () =>
    withClient({ connectionString: url }, async (client) => {
      const { rows } = await client.query<{ done: boolean }>(
        'SELECT NOT pg_is_in_recovery() AS done',
      );
      return rows[0]?.done === true;
    });
  while (!(await isPrimary())) await delay(50);
}

/** A replica that has every transaction before the primary reports that it is committed. */
export async function startSynchronousReplica(primary: FragilePostgres): Promise<TestReplica> {
  const replica = await startReplica(primary);
  const changes = [
    `ALTER SYSTEM SET synchronous_standby_names = '${APPLICATION_NAME}'`,
    'SELECT pg_reload_conf()',
  ];
  await run(primary.url, ...changes);
  const isSynchronous = () =>
    withClient({ connectionString: primary.url }, async (client) => {
      const { rows } = await client.query<{ state: string }>(
        'SELECT sync_state AS state FROM pg_stat_replication',
      );
      return rows[0]?.state === 'sync';
    });
  while (!(await isSynchronous())) await delay(50);
  return replica;
}

const APPLICATION_NAME = 'replica';

/** What the programs that come along lack pg_basebackup for: the low-level interface of backups, and a copy. */
function copyFiles(primary: FragilePostgres, dataDir: string): Promise<void> {
  return withClient({ connectionString: primary.url }, async (client) => {
    await client.query(`SELECT pg_backup_start('replica', true)`);
    const from = join(primary.dataDir, 'postgres');
    const { exitCode, output } = await runProgram('cp', ['-a', from, dataDir]);
    if (exitCode !== 0) throw new Error(output);
    const { rows } = await client.query<{ labelfile: string }>(
      'SELECT labelfile FROM pg_backup_stop(false)',
    );
    await makeStandby(dataDir, primary.url, rows[0]?.labelfile ?? '');
  });
}

async function makeStandby(dataDir: string, primaryUrl: string, label: string): Promise<void> {
  const { cluster } = locateDataFolder(dataDir);
  const user = await chooseServerUser(cluster);
  for (const [name, content] of [
    ['backup_label', label],
    ['standby.signal', ''],
  ] as const) {
    await writeFile(join(cluster, name), content);
    await handOverOne(user, join(cluster, name));
  }
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  const line = `primary_conninfo = '${primaryUrl}?application_name=${APPLICATION_NAME}'\n`;
  await appendFile(join(cluster, 'postgresql.auto.conf'), line);
}

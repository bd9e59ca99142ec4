// Writes everything that the service keeps into one file, while it goes on serving.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  BackupError,
  backUp,
  classifyDatabaseError,
  EmbeddedPostgresError,
  reachEmbeddedPostgres,
} from '@muster/database';
import {
  BACKUP_USAGE,
  describeRows,
  describeSize,
  parseBackupCommand,
  runCommand,
} from './backup/index.ts';
import { loadConfig, readLocalSecrets } from './config/index.ts';

const isExplained = (error: Error): boolean =>
  error instanceof BackupError ||
  error instanceof EmbeddedPostgresError ||
  classifyDatabaseError(error) === 'unavailable';

await runCommand(
  async ({ signal, report }) => {
    const { path } = parseBackupCommand(process.argv.slice(2), new Date());
    const { databaseUrl, dataDir } = loadConfig(process.env);
    const own = databaseUrl ? null : await reachEmbeddedPostgres({ dataDir, onProgress: report });
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const secrets = await readLocalSecrets(dataDir);
      const url = databaseUrl ?? own?.url ?? '';
      const archive = await backUp({ url, path, secrets, onProgress: report, signal });
      process.stdout.write(
        `${path}\n${describeSize(archive.bytes)}, ${describeRows(archive)}\n` +
          `taken at ${archive.takenAt.toISOString()}, sha256 ${archive.sha256}\n`,
      );
    } finally {
      await own?.stop();
    }
  },
  { usage: BACKUP_USAGE, isExplained },
);

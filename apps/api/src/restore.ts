// Fills an empty database, or an empty data folder, from a backup.
import {
  BackupError,
  classifyDatabaseError,
  EmbeddedPostgresError,
  restoreIntoDatabase,
  restoreIntoFolder,
  verifyArchive,
} from '@muster/database';
import { describeRows, parseRestoreCommand, RESTORE_USAGE, runCommand } from './backup/index.ts';
import { assertSecretsFit, loadConfig, writeLocalSecrets } from './config/index.ts';

const isExplained = (error: Error): boolean =>
  error instanceof BackupError ||
  error instanceof EmbeddedPostgresError ||
  classifyDatabaseError(error) === 'unavailable';

await runCommand(
  async ({ signal, report }) => {
    const { path, checkOnly } = parseRestoreCommand(process.argv.slice(2));
    const { databaseUrl, dataDir } = loadConfig(process.env);
    report(`Reading ${path}`);
    const archive = await verifyArchive(path);
    const { manifest, summary, secrets } = archive;
    const facts = `${path}: taken at ${manifest.taken_at}, ${describeRows(summary)}`;
    if (checkOnly) {
      process.stdout.write(`${facts}. It is whole.\n`);
      return;
    }
    await assertSecretsFit(dataDir, secrets);
    const options = { archive, onProgress: report, signal };
    const writeSecrets = () => writeLocalSecrets(dataDir, secrets);
    if (databaseUrl) {
      await restoreIntoDatabase({ ...options, url: databaseUrl });
      await writeSecrets();
    } else {
      await restoreIntoFolder({ ...options, dataDir, beforeEnd: writeSecrets });
    }
    process.stdout.write(`${facts}. Restored.\n`);
  },
  { usage: RESTORE_USAGE, isExplained },
);

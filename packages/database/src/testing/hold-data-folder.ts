// A process for tests: holds the data folder of its first argument until it is asked to stop or is killed.
import { startEmbeddedPostgres } from '../embedded/embedded-postgres.ts';

try {
  const server = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '' });
  process.once('SIGTERM', () => void server.stop());
  process.stdout.write(`${JSON.stringify({ url: server.url, adopted: server.adopted })}\n`);
} catch (error) {
  const { name, message } = error as Error;
  process.stdout.write(`${JSON.stringify({ error: name, message })}\n`);
  process.exitCode = 1;
}

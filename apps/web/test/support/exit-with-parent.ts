// Preloaded into the service of a test: the service exits with its parent process, however the parent
// ends, also by SIGKILL, and deletes its data folder.
import { rmSync } from 'node:fs';

const { DATA_DIR } = process.env;

process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGTERM'));
// Watching the parent must not keep a stopped service running.
(process.stdin as unknown as { unref(): void }).unref();

process.once('exit', () => {
  if (DATA_DIR) rmSync(DATA_DIR, { recursive: true, force: true });
});

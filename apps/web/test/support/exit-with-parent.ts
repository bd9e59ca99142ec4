// Loaded into the service of a test before its own code: it ends with the process that started it, however that one
// ends, also by SIGKILL, and takes its data folder with it.
import { rmSync } from 'node:fs';

const { DATA_DIR } = process.env;

process.stdin.resume().once('close', () => process.kill(process.pid, 'SIGTERM'));
// Waiting for the parent must not keep a service running that has stopped by itself.
(process.stdin as unknown as { unref(): void }).unref();

process.once('exit', () => {
  if (DATA_DIR) rmSync(DATA_DIR, { recursive: true, force: true });
});

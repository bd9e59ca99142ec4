// Makes the temporary folder of a run, runs the service in it where one is named, and removes it when the kit is gone:
// the kit holds the other end of standard input, which closes even when the kit is killed. No folder is ever without
// its guard, however early that happens.
// Started as: guard <temporary folder> [<service file>]
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sentenceOf } from '../findings.ts';
import './older-node.ts';

const [folder = '', service] = process.argv.slice(2);

process.stdin.on('error', () => {});
let isOver = false;
const end = () => {
  if (isOver) return;
  isOver = true;
  // The service's own handler, on every platform: on Windows the signal would end the process at once. A service that is still
  // being loaded does not listen yet.
  if (process.listenerCount('SIGTERM') > 0) process.emit('SIGTERM', 'SIGTERM');
  else process.exit();
};
// Deno emits `end` only; other runtimes emit only `close` when standard input breaks.
process.stdin.on('end', end);
process.stdin.on('close', end);
process.stdin.resume();

try {
  mkdirSync(folder, { mode: 0o700 });
} catch (error) {
  const reason = sentenceOf(error);
  process.stderr.write(`No temporary folder can be made in ${dirname(folder)}: ${reason}.\n`);
  process.exit(1);
}
/** Removes the folder at every exit, whatever the cause. */
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
// Root's PostgreSQL runs as another user, who has to pass through.
if (process.getuid?.() === 0) chmodSync(folder, 0o711);

if (service) await import(pathToFileURL(service).href);

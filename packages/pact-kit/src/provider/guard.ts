// Runs the service inside the kit's child process, and ends it when the kit is gone: the kit holds the other
// end of standard input, which closes even when the kit is killed.
// Started as: guard <service file> <temporary folder>
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import './older-node.ts';

const [service = '', folder = ''] = process.argv.slice(-2);

process.stdin.on('error', () => {});
process.stdin.on('close', () => {
  // A service that is still being loaded does not listen yet: the signal would end the process without its exit handlers.
  if (process.listenerCount('SIGTERM') > 0) process.kill(process.pid, 'SIGTERM');
  else process.exit();
});
process.stdin.resume();

/** Whoever ends this process, and however often: nothing stays behind. */
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

await import(pathToFileURL(service).href);

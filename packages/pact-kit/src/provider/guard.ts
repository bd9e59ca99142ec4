// Runs the service inside the kit's child process, and ends it when the kit is gone: the kit holds the other
// end of standard input, which closes even when the kit is killed.
// Started as: guard <service file> <temporary folder>
import { rmSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const [service = '', folder = ''] = process.argv.slice(-2);

process.stdin.on('error', () => {});
process.stdin.on('close', () => process.kill(process.pid, 'SIGTERM'));
process.stdin.resume();

/** Whoever ends this process, and however often: nothing stays behind. */
process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

await import(pathToFileURL(service).href);

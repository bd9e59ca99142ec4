// Loaded ahead of each program that a run starts: when the run is gone, killed outright even, the program ends as well.
// An orphan gets another parent, and looking once a second costs what is measured next to nothing. A pipe that closes
// would tell it at once, but also end the processes and threads that inherit this module and not the pipe.
import { isMainThread } from 'node:worker_threads';

const LOOK_MS = 1_000;
/** A program that does not stop when it is asked to. */
const PATIENCE_MS = 10_000;

if (isMainThread) {
  const parent = process.ppid;
  const looking = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
    setTimeout(() => process.exit(1), PATIENCE_MS).unref();
  }, LOOK_MS);
  // It keeps no program from ending that would end without it.
  looking.unref();
}

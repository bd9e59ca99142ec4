// Loaded before programs that tests start: stops them when their test is gone. A killed process cannot clean up, so the
// child watches its parent: an orphan gets another parent.

const INTERVAL_MS = 500;
/** The maximum time that the service needs to stop by itself. */
const GRACE_MS = 15_000;

const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
}, INTERVAL_MS);
watch.unref();

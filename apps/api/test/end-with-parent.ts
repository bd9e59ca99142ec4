// Loaded before the programs that tests start: stops them when the test that started them is gone, however it ended.
// A killed process cannot clean up, so the child watches its parent: an orphan is given to another process.

const INTERVAL_MS = 500;
/** As long as the service takes at most to stop by itself. */
const GRACE_MS = 15_000;

const parent = process.ppid;
const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), GRACE_MS).unref();
}, INTERVAL_MS);
watch.unref();

// Options of Node.js and the C library that bound the memory of the service. JavaScript, since the programs that start the service run
// on Node.js 20.

/**
 * With much memory, V8 lets a heap grow to several times what is in use before it collects garbage. These options bound the growth, not
 * the size: the process needs half of the memory under load, at the same number of joins per second.
 *
 * V8 collects garbage on four helper threads. On two cores these took processor time from the service and PostgreSQL: with one thread,
 * p99 at half load was 18 ms instead of 60.
 *
 * V8 allocates new objects in the old generation at places in the code whose objects survived before. After a burst these keep young
 * objects alive that they refer to. Without this optimisation, the service made 22 % more joins per second.
 */
export const HEAP_OPTIONS = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=40',
  '--v8-pool-size=1',
  '--no-allocation-site-pretenuring',
];

/**
 * glibc keeps freed blocks of up to 32 MB for later: a process kept 90 MB after an import. With a fixed threshold it returns each block.
 * A value that is already set is unchanged; other C libraries ignore the variable.
 */
export const allocatorEnvironment = () => ({
  MALLOC_MMAP_THRESHOLD_: process.env.MALLOC_MMAP_THRESHOLD_ ?? '131072',
});

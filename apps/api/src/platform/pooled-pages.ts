// Gives the pages back that V8 keeps of a heap that was larger, while there is work, too.
import type { NodeGCPerformanceDetail, PerformanceEntry } from 'node:perf_hooks';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { memoryUsage, versions } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const CHECK_MS = 1_000;
/** A collection that returns pages takes two to three times as long as another one. */
const REST_MS = 5_000;
const WORTH_BYTES = 40 * 1_048_576;

/**
 * V8 keeps the pages that a collection has emptied, so that the heap can grow into them again, until it takes the process for idle: one that
 * works keeps those of its largest moment for ever. In its memory saver mode, V8 returns them with the next collection. The mode is on
 * until then, and only where there is much to return. On other engines nothing happens.
 */
export const returnPooledPages = (): void => {
  if (hasMemorySaver()) void keepReturning();
};

/** The V8 of Node.js 20 has no such mode, and says so on stderr. */
const hasMemorySaver = (): boolean =>
  !versions.bun && !versions.deno && Number.parseInt(versions.v8, 10) >= 12;

const keepReturning = async (): Promise<never> => {
  let most = 0;
  for (;;) {
    await setTimeout(CHECK_MS, undefined, { ref: false });
    const inUse = measurePages();
    most = Math.max(most, inUse);
    if (most - inUse < WORTH_BYTES) continue;
    const resident = memoryUsage.rss();
    setFlagsFromString('--memory-saver-mode');
    // One that had begun before returns nothing: then it is the second.
    await nextCollection();
    if (memoryUsage.rss() > resident - WORTH_BYTES / 2) await nextCollection();
    setFlagsFromString('--no-memory-saver-mode');
    most = measurePages();
    await setTimeout(REST_MS, undefined, { ref: false });
  }
};

/** In bytes. What lies on pages of its own, since it is large, is not kept. */
const measurePages = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.includes('large'))
    .reduce((bytes, { space_size }) => bytes + space_size, 0);

/** Of the whole heap. Waits for as long as there is none. */
const nextCollection = (): Promise<void> =>
  new Promise((resolve) => {
    const observer = new PerformanceObserver((list) => {
      if (!list.getEntries().some(isWhole)) return;
      observer.disconnect();
      resolve();
    });
    observer.observe({ entryTypes: ['gc'] });
  });

/** The types of Node.js know no entry with details. */
const isWhole = (entry: PerformanceEntry & { detail?: NodeGCPerformanceDetail }): boolean =>
  entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

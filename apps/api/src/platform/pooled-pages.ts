// Gives the pages back that V8 keeps of a heap that was larger, while there is work, too.
import type { NodeGCPerformanceDetail, PerformanceEntry } from 'node:perf_hooks';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { memoryUsage, versions } from 'node:process';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { repeat } from './lifecycle.ts';

const CHECK_MS = 1_000;
/** A collection that returns pages takes two to three times as long as another one. */
const REST_MS = 5_000;
/** A process that has become idle meanwhile collects nothing for minutes. */
const PATIENCE_MS = 10_000;
const WORTH_BYTES = 40 * 1_048_576;

/**
 * V8 keeps the pages that a collection has emptied, so that the heap can grow into them again, until it takes the process for idle: one that
 * works keeps those of its largest moment for ever. In its memory saver mode, V8 returns them with the next collection. The mode is on
 * for one or two, and only where a look each second has found that the heap is much smaller than it was. On other engines nothing happens.
 */
export const returnPooledPages = (onFailure: (error: unknown) => void): void => {
  if (!hasMemorySaver()) return;
  let most = 0;
  let notBefore = 0;
  const look = async () => {
    const inUse = measurePages();
    most = Math.max(most, inUse);
    if (most - inUse < WORTH_BYTES || performance.now() < notBefore) return;
    await collectInSaverMode();
    most = measurePages();
    notBefore = performance.now() + REST_MS;
  };
  // Nothing of it needs an end: a stop does not wait for a collection.
  repeat(look, { intervalMs: CHECK_MS, onFailure });
};

/** V8 says on stderr that it knows no such mode: that of Node.js 22 and older. */
const hasMemorySaver = (): boolean =>
  !versions.bun && !versions.deno && Number.parseInt(versions.v8, 10) >= 13;

const collectInSaverMode = async (): Promise<void> => {
  const resident = measureResident();
  setFlagsFromString('--memory-saver-mode');
  await nextCollection();
  // One that had begun before returns nothing: then it is the second.
  if (measureResident() > resident - WORTH_BYTES / 2) await nextCollection();
  setFlagsFromString('--no-memory-saver-mode');
};

/** In bytes. What lies on pages of its own, since it is large, is not kept. */
const measurePages = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => !space_name.includes('large'))
    .reduce((bytes, { space_size }) => bytes + space_size, 0);

/** In bytes; infinite where the process may open no file just now, which Linux asks for. */
const measureResident = (): number => {
  try {
    return memoryUsage.rss();
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

/** Of the whole heap. */
const nextCollection = (): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const observer = new PerformanceObserver((list) => {
    if (list.getEntries().some(isWhole)) resolve();
  });
  observer.observe({ entryTypes: ['gc'] });
  const timer = setTimeout(resolve, PATIENCE_MS).unref();
  return promise.finally(() => {
    clearTimeout(timer);
    observer.disconnect();
  });
};

/** The types of Node.js know no entry with details. */
const isWhole = (entry: PerformanceEntry & { detail?: NodeGCPerformanceDetail }): boolean =>
  entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR;

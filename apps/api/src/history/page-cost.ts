// What a page of a name costs by either way, in rows of indexes: the service takes the shorter one.
import type { PageRange } from './history-statements.ts';

/** Reads this many times more than an even spread of the matches would need, before it is given up. */
const SCAN_MARGIN = 4;

/**
 * How many versions of the kind to look through for a page, when `total` of them match; null where asking each record
 * that matches is shorter for sure: each has a version that does, so that there are no more of the ones than of the others.
 */
export const findScanWindow = ({ limit, asOf }: PageRange, total: number): number | null => {
  const window = Math.ceil((SCAN_MARGIN * limit * asOf) / total);
  return window < total ? window : null;
};

/** A scan of so many versions has seen the rest of the walk: that it found less than a page is the answer. */
export const coversAll = (window: number, { low, high }: PageRange): boolean => window > high - low;

/** So few versions that reading all of them costs less than asking which ones the page needs. */
const FEW_VERSIONS = 2_500;

export const canMergeAll = (total: number): boolean => total <= FEW_VERSIONS;

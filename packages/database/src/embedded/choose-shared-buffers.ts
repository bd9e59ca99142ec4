import { totalmem } from 'node:os';

const MEBIBYTE = 1024 * 1024;
/** What PostgreSQL takes unasked, and more than pages of histories profit from. */
const LEAST_MEBIBYTES = 128;
const MOST_MEBIBYTES = 1_024;

/**
 * `shared_buffers`: an eighth of the memory, half of what PostgreSQL's manual (20.4) names for a machine of its own, since the service
 * and perhaps a game live here, too. It is taken from the system as pages are read, not at the start.
 */
export const chooseSharedBuffers = (memoryBytes = findMemoryBytes()): string => {
  const share = Math.floor(memoryBytes / 8 / MEBIBYTE);
  return `${Math.min(Math.max(share, LEAST_MEBIBYTES), MOST_MEBIBYTES)}MB`;
};

/** Of the machine, or of the container where that has less: 0 and huge numbers mean that it has no limit. */
const findMemoryBytes = (): number => {
  const limit = process.constrainedMemory?.() || Number.POSITIVE_INFINITY;
  return Math.min(limit, totalmem());
};

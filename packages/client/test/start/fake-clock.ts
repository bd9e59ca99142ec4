import type { Clock } from '../../src/timers.ts';
import { abortable } from '../../src/timers.ts';

export type FakeClock = Clock & { waits: number[] };

/** A clock that advances only when a timer is pending, and then at once. */
export const createFakeClock = (random = 0): FakeClock => {
  const waits: number[] = [];
  let nowMs = 0;
  return {
    waits,
    nowMs: () => nowMs,
    wait: async (ms, signal) => {
      await abortable(Promise.resolve(), signal);
      waits.push(ms);
      nowMs += ms;
    },
    random: () => random,
  };
};

import { startTimer } from './start-timer.ts';

export type Deadline = {
  /** Aborted when the time is over or the caller's signal is aborted, whichever is first. */
  signal: AbortSignal;
  isOver(): boolean;
  /** Must be called in the end: it stops the timer. */
  end(): void;
};

/** One signal for the two reasons to give up. `AbortSignal.any` is too young for some browsers. */
export const startDeadline = (timeoutMs: number, caller: AbortSignal | undefined): Deadline => {
  const controller = new AbortController();
  let isOver = false;
  const abort = () => controller.abort(caller?.reason);
  const timer = startTimer(() => {
    isOver = true;
    controller.abort();
  }, timeoutMs);
  if (caller?.aborted) abort();
  else caller?.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    isOver: () => isOver,
    end: () => {
      clearTimeout(timer);
      caller?.removeEventListener('abort', abort);
    },
  };
};

import type { Reporter, TestModule } from 'vitest/node';

export type TimeLimit = {
  reporter: Reporter;
  isOver(): boolean;
  /** Whether the file ended within the limit. */
  hasEnded(module: TestModule): boolean;
};

/** Ends the run after this time: tests in progress end, and no other one starts. */
export const createTimeLimit = (minutes: number | undefined): TimeLimit => {
  const ended = new Set<string>();
  let over = false;
  const reporter: Reporter = {
    onInit: (vitest) => {
      if (minutes === undefined) return;
      const end = () => {
        over = true;
        return vitest.cancelCurrentRun('keyboard-input');
      };
      setTimeout(end, minutes * 60_000).unref();
    },
    onTestModuleEnd: ({ id }) => {
      if (!over) ended.add(id);
    },
  };
  return { reporter, isOver: () => over, hasEnded: ({ id }) => ended.has(id) };
};

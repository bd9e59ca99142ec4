import { useCallback, useLayoutEffect, useRef } from 'react';

/** A function that stays the same one and does what the newest given does. For handlers, not for drawing. */
export const useLatest = <Args extends readonly unknown[]>(
  react: ((...args: Args) => void) | undefined,
): ((...args: Args) => void) => {
  const latest = useRef(react);
  useLayoutEffect(() => {
    latest.current = react;
  });
  return useCallback((...args: Args) => latest.current?.(...args), []);
};

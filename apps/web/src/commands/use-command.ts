import { useEffect, useRef } from 'react';
import type { Command } from './command-registry.ts';
import { addCommand } from './command-registry.ts';

type Options = Command & { enabled?: boolean };

/** Offers a command while the component is shown and `enabled` (true by default). */
export const useCommand = ({ label, keys, isHidden, run, enabled = true }: Options): void => {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    if (!enabled) return;
    return addCommand({ label, keys, isHidden, run: () => latest.current() });
  }, [label, keys, isHidden, enabled]);
};

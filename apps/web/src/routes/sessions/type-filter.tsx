import { Autocomplete } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useCommand } from '../../commands/use-command.ts';
import { useUrlChange, useUrlValues } from '../../components/url/url-state.ts';
import { useSessionTypes } from '../../features/sessions/use-session-types.ts';

const SETTLE_MS = 300;

/** A type by its whole name. Known types are suggested; sessions may have others. */
export const TypeFilter = () => {
  const inAddress = useUrlValues().type;
  const applied = typeof inAddress === 'string' ? inAddress : '';
  const change = useUrlChange();
  const [typed, setTyped] = useState(applied);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(applied), [applied]);
  useEffect(() => {
    if (typed === applied) return;
    const timer = setTimeout(() => change({ type: typed || undefined }), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed, applied, change]);
  useCommand({ label: 'Go to type', keys: '/', run: () => input.current?.focus() });
  return (
    <Autocomplete
      ref={input}
      w={200}
      label="Type"
      placeholder="Any"
      data={useSessionTypes().map(({ type }) => type)}
      value={typed}
      clearable
      clearButtonProps={{ 'aria-label': 'Clear Type' }}
      onChange={setTyped}
    />
  );
};

import { CloseButton, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useCommand } from '../../commands/use-command.ts';
import { useUrlChange, useUrlValues } from '../url/url-state.ts';

type TextFilterProps = {
  /** The parameter in the address. */
  name: string;
  label: string;
  placeholder?: string;
  /** The first filter of a page: "/" goes to it. */
  isMain?: boolean;
  width?: number;
};

const SETTLE_MS = 250;

/** Follows the typing with a short delay, so that not every letter asks the service. */
export const TextFilter = ({ name, label, placeholder, isMain, width = 220 }: TextFilterProps) => {
  const { [name]: inAddress } = useUrlValues();
  const change = useUrlChange();
  const applied = typeof inAddress === 'string' ? inAddress : '';
  const [typed, setTyped] = useState(applied);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => setTyped(applied), [applied]);
  useEffect(() => {
    if (typed === applied) return;
    const apply = () => change({ [name]: typed || undefined, sel: undefined });
    const timer = setTimeout(apply, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [typed, applied, name, change]);
  useCommand({
    label: `Go to ${label.toLowerCase()}`,
    keys: '/',
    enabled: isMain === true,
    run: () => input.current?.select(),
  });
  return (
    <TextInput
      ref={input}
      // In sight on a phone, where the other filters are folded away.
      wrapperProps={isMain ? { 'data-unfolded': true } : undefined}
      w={width}
      label={label}
      placeholder={placeholder}
      value={typed}
      leftSection={isMain && <IconSearch size={14} aria-hidden />}
      rightSection={
        typed !== '' && (
          <CloseButton size="sm" aria-label={`Clear ${label}`} onClick={() => setTyped('')} />
        )
      }
      onChange={(event) => setTyped(event.currentTarget.value)}
      onKeyDown={(event) => event.key === 'Escape' && input.current?.blur()}
    />
  );
};

// Filters that live in the address. The route's zod schema says which there are and what they accept.

import { ActionIcon, Button, CloseButton, Group, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { timeZone } from '../api/preferences.ts';
import { useCommand } from './commands.ts';
import classes from './filters.module.css';
import { toInputValue, toInstant } from './format-time.ts';
import { Icon } from './icons.tsx';
import { useUrlChange, useUrlValues } from './url-state.tsx';

/** A phone has room for so many at once; of more, only the main one stays in sight until they are asked for. */
const MAX_UNFOLDED = 3;

type FilterBarProps = {
  /** The parameters that filter: "Clear filters" removes these. */
  names: readonly string[];
  children: ReactNode;
};

export const FilterBar = ({ names, children }: FilterBarProps) => {
  const { isFiltered, count, clear } = useFilters(names);
  const [isOpen, setOpen] = useState(false);
  const isLong = names.length > MAX_UNFOLDED;
  const id = useId();
  return (
    <search>
      <Group
        id={id}
        gap="xs"
        align="flex-end"
        className={classes.filters}
        data-folded={(isLong && !isOpen) || undefined}
      >
        {isLong && (
          <Button
            className={classes.toggle}
            variant="default"
            aria-expanded={isOpen}
            aria-controls={id}
            data-unfolded
            leftSection={<Icon name="adjustments-horizontal" size={15} />}
            onClick={() => setOpen(!isOpen)}
          >
            {count > 0 ? `Filters (${count})` : 'Filters'}
          </Button>
        )}
        {children}
        {isFiltered && (
          <Button variant="subtle" data-unfolded onClick={clear}>
            Clear filters
          </Button>
        )}
      </Group>
    </search>
  );
};

/** Whether any of them is set, and how to clear them: for a table's "no match". */
export const useFilters = (names: readonly string[]) => {
  const values = useUrlValues();
  const change = useUrlChange();
  const count = names.filter((name) => values[name] !== undefined).length;
  return {
    isFiltered: count > 0,
    count,
    clear: () => change(Object.fromEntries([...names, 'sel'].map((name) => [name, undefined]))),
  };
};

type TextFilterProps = {
  /** The parameter in the address. */
  name: string;
  label: string;
  placeholder?: string;
  /** The first filter of a page: "/" goes to it. */
  isMain?: boolean;
  width?: number;
};

const DEBOUNCE_MS = 250;

/** What is typed. The address follows with a short delay, so that not every letter asks the service. */
export const useTypedFilter = (name: string) => {
  const { [name]: inAddress } = useUrlValues();
  const change = useUrlChange();
  const applied = typeof inAddress === 'string' ? inAddress : '';
  const [typed, setTyped] = useState(applied);
  useEffect(() => setTyped(applied), [applied]);
  useEffect(() => {
    if (typed === applied) return;
    const apply = () => change({ [name]: typed || undefined, sel: undefined });
    const timer = setTimeout(apply, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, applied, name, change]);
  return [typed, setTyped] as const;
};

export const TextFilter = ({ name, label, placeholder, isMain, width = 220 }: TextFilterProps) => {
  const [typed, setTyped] = useTypedFilter(name);
  const input = useRef<HTMLInputElement>(null);
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
      leftSection={isMain && <Icon name="search" size={14} />}
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

type ChoiceFilterProps = {
  /** The parameter in the address. */
  name: string;
  label: string;
  /** Values with their words. */
  choices: readonly { value: string; label: string }[];
  /** What no choice means. */
  anyLabel?: string;
  width?: number;
};

/** Values that look like numbers or booleans arrive in the schema as such: `z.coerce.string()` undoes it. */
export const ChoiceFilter = ({
  name,
  label,
  choices,
  anyLabel = 'Any',
  width = 150,
}: ChoiceFilterProps) => {
  const { [name]: chosen } = useUrlValues();
  const change = useUrlChange();
  return (
    <Select
      w={width}
      label={label}
      placeholder={anyLabel}
      data={[...choices]}
      value={chosen === undefined ? null : String(chosen)}
      clearable
      clearButtonProps={{ 'aria-label': `Clear ${label}` }}
      searchable={choices.length > 8}
      onChange={(value) => change({ [name]: value ?? undefined, sel: undefined })}
    />
  );
};

/**
 * A moment, typed in the zone that times are shown in, and kept in the address as RFC 3339 UTC. The browser's own field would
 * show the clock of its language, with AM and PM, beside times of a 24-hour clock.
 */
export const TimeFilter = ({ name, label }: { name: string; label: string }) => {
  const { [name]: inAddress } = useUrlValues();
  const zone = timeZone.use();
  const change = useUrlChange();
  const applied = typeof inAddress === 'string' ? toInputValue(inAddress, zone) : '';
  const [typed, setTyped] = useState(applied);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    setTyped(applied);
    setError(null);
  }, [applied]);
  const apply = (value: string) => {
    const instant = toInstant(value, zone);
    const isWrong = value.trim() !== '' && instant === undefined;
    setError(isWrong ? 'For example 2026-11-21 18:30' : null);
    if (!isWrong && value !== applied) change({ [name]: instant, sel: undefined });
  };
  return (
    <TextInput
      w={190}
      label={zone === 'utc' ? `${label} (UTC)` : label}
      placeholder="YYYY-MM-DD hh:mm"
      maxLength={19}
      autoComplete="off"
      value={typed}
      error={error}
      rightSection={<DayPicker label={label} typed={typed} onPick={apply} />}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => apply(typed)}
      onKeyDown={(event) => event.key === 'Enter' && apply(typed)}
    />
  );
};

type DayPickerProps = { label: string; typed: string; onPick: (value: string) => void };

/** The browser's own calendar; the time of day that was typed stays. */
const DayPicker = ({ label, typed, onPick }: DayPickerProps) => {
  const input = useRef<HTMLInputElement>(null);
  const [day = '', time = '00:00'] = typed.split(/[T ]/);
  return (
    <>
      <ActionIcon
        size="sm"
        aria-label={`Choose a day for ${label}`}
        onClick={() => input.current?.showPicker()}
      >
        <Icon name="calendar" size={15} />
      </ActionIcon>
      <input
        ref={input}
        type="date"
        className={classes.day}
        tabIndex={-1}
        aria-hidden
        value={day}
        onChange={({ currentTarget: { value } }) => value && onPick(`${value} ${time}`)}
      />
    </>
  );
};

// Filters whose values are in the URL. The route's zod schema defines them.

import { ActionIcon, Button, CloseButton, Group, Select, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEffect, useId, useRef, useState } from 'react';
import { timeZone } from '../api/preferences.ts';
import { useCommand } from './commands.ts';
import classes from './filters.module.css';
import { toInputValue, toInstant } from './format-time.ts';
import { Icon } from './icons.tsx';
import { useUrlChange, useUrlValues } from './url-state.tsx';

/** The maximum number of filters that a phone shows. If there are more, it shows the main one and a button for the others. */
const MAX_UNFOLDED = 3;

type FilterBarProps = {
  /** The filter parameters, which "Clear filters" removes. */
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

/** Whether a filter is set, and a function that clears all of them. */
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
  /** The URL parameter. */
  name: string;
  label: string;
  placeholder?: string;
  /** The main filter of a page, which "/" focuses. */
  isMain?: boolean;
  width?: number;
};

const DEBOUNCE_MS = 250;

/** A text filter. Updates the URL after a short delay, so that not every keystroke sends a request. */
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
      // Visible on a phone, which hides the other filters.
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
  /** The URL parameter. */
  name: string;
  label: string;
  /** Values with their labels. */
  choices: readonly { value: string; label: string }[];
  /** The label for no selection. */
  anyLabel?: string;
  width?: number;
};

/** The router parses numbers and booleans in URLs. `z.coerce.string()` converts them back. */
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

type TimeFilterProps = {
  /** The URL parameter. */
  name: string;
  label: string;
  /** Also shows the time in UTC, which logs have, when the displayed zone is another one. */
  showsUtc?: boolean;
};

/**
 * A date and time, typed in the displayed time zone and stored in the URL as RFC 3339 UTC. The browser's own field would
 * use its language's format, such as AM and PM, beside times on a 24-hour clock.
 */
export const TimeFilter = ({ name, label, showsUtc = false }: TimeFilterProps) => {
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
      description={
        showsUtc &&
        zone !== 'utc' &&
        applied !== '' &&
        `${toInputValue(String(inAddress), 'utc')} UTC`
      }
      rightSection={<DayPicker label={label} typed={typed} onPick={apply} />}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={() => apply(typed)}
      onKeyDown={(event) => event.key === 'Enter' && apply(typed)}
    />
  );
};

type DayPickerProps = { label: string; typed: string; onPick: (value: string) => void };

/** Opens the browser's date picker. Keeps the typed time of day. */
export const DayPicker = ({ label, typed, onPick }: DayPickerProps) => {
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

// The builder of filters by value: a form that adds a condition, and a button for each condition that removes it.
import {
  Autocomplete,
  Button,
  Group,
  Popover,
  SegmentedControl,
  Select,
  Stack,
  TextInput,
} from '@mantine/core';
import type { FilterOperator, RecordCondition, RecordWhere } from '@muster/contract';
import { FILTER_OPERATORS, filterTypeOf, readFilterNumber } from '@muster/contract';
import type { FormEvent } from 'react';
import { useRef, useState } from 'react';
import type { TimeZone } from '../../api/preferences.ts';
import { timeZone } from '../../api/preferences.ts';
import { toInputValue, toInstant } from '../../ui/format-time.ts';
import { Icon } from '../../ui/icons.tsx';
import { filterSuggestions } from '../../ui/suggestions.ts';
import { useUrlChange, useUrlValues } from '../../ui/url-state.tsx';
import type { RecordKind, StoredRecord } from './record-kind.ts';
import { ITEM_TYPES, nameItemType } from './record-kind.ts';
import type { RecordsSearch } from './record-search.ts';
import type { Join, Place } from './where.ts';
import {
  addCondition,
  fieldLabels,
  joinConditions,
  labelField,
  labelOperator,
  listConditions,
  nameKey,
  needsValue,
  readField,
  removeCondition,
} from './where.ts';

const MAX_CONDITIONS = 10;

type ValueFilterProps = {
  kind: RecordKind;
  /** The loaded rows, whose keys of custom data are suggested. */
  known: readonly StoredRecord[];
};

export const ValueFilter = ({ kind, known }: ValueFilterProps) => {
  const { where = {} }: RecordsSearch = useUrlValues();
  const changeUrl = useUrlChange();
  const addButton = useRef<HTMLButtonElement>(null);
  const conditions = listConditions(where);
  const change = (next: RecordWhere | undefined) => changeUrl({ where: next, sel: undefined });
  const remove = (place: Place) => {
    change(removeCondition(where, place));
    addButton.current?.focus();
  };
  return (
    <>
      <AddCondition
        kind={kind}
        known={known}
        buttonRef={addButton}
        isFull={conditions.length >= MAX_CONDITIONS}
        onAdd={(condition) => change(addCondition(where, condition))}
      />
      {conditions.length > 0 && (
        <Group gap="xs" mih={30} role="group" aria-label="Filters by value" data-unfolded>
          {conditions.length > 1 && (
            <SegmentedControl
              size="xs"
              aria-label="Conditions that must be true"
              data={[
                { value: 'and', label: 'All of' },
                { value: 'or', label: 'Any of' },
              ]}
              value={where.and && where.or ? '' : where.or ? 'or' : 'and'}
              onChange={(join) => change(joinConditions(where, join as Join))}
            />
          )}
          {conditions.map((place) => (
            <ConditionButton
              key={`${place.list} ${place.index}`}
              kind={kind}
              place={place}
              isMixed={where.and !== undefined && where.or !== undefined}
              onRemove={() => remove(place)}
            />
          ))}
        </Group>
      )}
    </>
  );
};

type ConditionButtonProps = {
  kind: RecordKind;
  place: Place;
  /** Whether the filter has both lists. */
  isMixed: boolean;
  onRemove: () => void;
};

const ConditionButton = ({ kind, place, isMixed, onRemove }: ConditionButtonProps) => {
  const zone = timeZone.use();
  const text = describe(kind, place.condition, zone);
  return (
    <Button
      variant="light"
      size="compact-sm"
      maw="100%"
      aria-label={`Remove the filter: ${text}`}
      rightSection={<Icon name="x" size={13} />}
      onClick={onRemove}
    >
      {isMixed && place.list === 'or' ? `or: ${text}` : text}
    </Button>
  );
};

const describe = (kind: RecordKind, { field, op, value }: RecordCondition, zone: TimeZone) => {
  const type = filterTypeOf(kind.kind, field);
  const itemType = ITEM_TYPES.find((each) => field === 'item_type' && each.value === value)?.value;
  const shown =
    (itemType && nameItemType(itemType)) ??
    (type === 'date' && value !== undefined ? toInputValue(value, zone) : value);
  return [labelField(field), labelOperator(kind, field, op), shown].filter(Boolean).join(' ');
};

type AddConditionProps = ValueFilterProps & {
  buttonRef: React.RefObject<HTMLButtonElement | null>;
  isFull: boolean;
  onAdd: (condition: RecordCondition) => void;
};

const AddCondition = ({ kind, known, buttonRef, isFull, onAdd }: AddConditionProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      width={300}
      trapFocus
      returnFocus
      withinPortal
    >
      <Popover.Target>
        <Button
          ref={buttonRef}
          variant="default"
          leftSection={<Icon name="plus" size={14} />}
          disabled={isFull}
          onClick={() => setOpen(!isOpen)}
        >
          Filter by value
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filter by value">
        <ConditionForm
          kind={kind}
          known={known}
          onAdd={(condition) => {
            setOpen(false);
            onAdd(condition);
          }}
        />
      </Popover.Dropdown>
    </Popover>
  );
};

const MAX_SUGGESTED_KEYS = 100;

const suggestKeys = (known: readonly StoredRecord[]): string[] =>
  [...new Set(known.flatMap((record) => Object.keys(record.custom_data)))]
    .toSorted()
    .slice(0, MAX_SUGGESTED_KEYS);

type ConditionFormProps = ValueFilterProps & { onAdd: (condition: RecordCondition) => void };

const ConditionForm = ({ kind, known, onAdd }: ConditionFormProps) => {
  const zone = timeZone.use();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<FilterOperator>('eq');
  const [value, setValue] = useState('');
  const [isTried, setTried] = useState(false);
  const field = readField(kind, typed);
  const type = filterTypeOf(kind.kind, field) ?? 'custom';
  const operators = FILTER_OPERATORS[type];
  const op = operators.includes(chosen) ? chosen : (operators[0] ?? 'eq');
  const read = needsValue(op) ? readValue(type, value, zone) : {};
  const fieldError = typed.trim() === '' ? 'Choose a field, or type a key of custom data' : null;
  const labels = fieldLabels(kind);
  const keys = suggestKeys(known).map((key) => nameKey(kind, key));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (fieldError === null && read.error === undefined) {
      onAdd({ field, op, ...(read.value !== undefined && { value: read.value }) });
    }
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Autocomplete
          data-autofocus
          size="xs"
          label="Field or custom data key"
          maxLength={128}
          data={[
            { group: 'Fields', items: labels },
            ...(keys.length > 0 ? [{ group: 'Custom data', items: keys }] : []),
          ]}
          comboboxProps={{ withinPortal: false }}
          filter={filterSuggestions}
          // The list itself scrolls, so that screen readers know it as a part of the input.
          withScrollArea={false}
          styles={{ options: { maxHeight: 260, overflowY: 'auto' } }}
          value={typed}
          error={isTried && fieldError}
          onChange={setTyped}
        />
        <Select
          label="Comparison"
          data={operators.map((each) => ({
            value: each,
            label: labelOperator(kind, field, each),
          }))}
          comboboxProps={{ withinPortal: false }}
          value={op}
          onChange={(next) => next && setChosen(next as FilterOperator)}
        />
        {needsValue(op) &&
          (field === 'item_type' && (op === 'eq' || op === 'ne') ? (
            <Select
              label="Value"
              data={ITEM_TYPES}
              comboboxProps={{ withinPortal: false }}
              value={value || null}
              error={isTried && read.error}
              onChange={(next) => setValue(next ?? '')}
            />
          ) : (
            <TextInput
              label="Value"
              maxLength={256}
              autoComplete="off"
              inputMode={type === 'number' ? 'decimal' : 'text'}
              placeholder={type === 'date' ? 'YYYY-MM-DD hh:mm' : undefined}
              value={value}
              error={isTried && read.error}
              onChange={(event) => setValue(event.currentTarget.value)}
            />
          ))}
        <Button type="submit">Add</Button>
      </Stack>
    </form>
  );
};

const readValue = (
  type: string,
  typed: string,
  zone: TimeZone,
): { value?: string; error?: string } => {
  const value = typed.trim();
  if (value === '') return { error: 'Type a value' };
  if (type === 'number' && readFilterNumber(value) === undefined) return { error: 'Type a number' };
  if (type !== 'date') return { value };
  const instant = toInstant(value, zone);
  return instant === undefined ? { error: 'For example 2026-11-21 18:30' } : { value: instant };
};

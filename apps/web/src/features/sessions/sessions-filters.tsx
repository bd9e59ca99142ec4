import { Autocomplete, Button, Collapse, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PLATFORMS } from '@muster/contract';
import { useRef } from 'react';
import { useCommand } from '../../ui/commands.ts';
import { ChoiceFilter, FilterBar, TimeFilter, useTypedFilter } from '../../ui/filters.tsx';
import { useUrlChange, useUrlValues } from '../../ui/url-state.tsx';
import { PlayerPicker } from '../players/player-picker.tsx';
import { IDLE_CHOICES } from './idle-times.ts';
import { HEALTH_LABELS, JOIN_STATUS_LABELS, toChoices } from './session-labels.tsx';
import { useSessionTypes } from './session-types.ts';

const STATES = [{ value: 'ended', label: 'Ended' }];
const FILLS = [
  { value: 'open', label: 'With free seats' },
  { value: 'empty', label: 'Empty' },
  { value: 'full', label: 'Full' },
];
const YES_NO = [
  { value: 'yes', label: 'Everyone may join' },
  { value: 'no', label: 'Invited players only' },
];
const ABSENCES = [
  { value: 'yes', label: 'With absent players' },
  { value: 'no', label: 'Without absent players' },
];
const PLATFORM_CHOICES = PLATFORMS.map((value) => ({ value, label: value }));

/** Less common filters, which "More filters" hides unless one of them is set. */
const MORE = [
  'absent',
  'platform',
  'join_status',
  'instance_health',
  'joinable',
  'created_from',
  'created_to',
];

/** The parameters that "Clear filters" removes. */
export const SESSION_FILTERS = ['type', 'player', 'fill', 'idle', 'state', ...MORE];

export const SessionsFilters = () => {
  const values = useUrlValues();
  const change = useUrlChange();
  const used = MORE.filter((name) => values[name] !== undefined).length;
  const [isOpen, more] = useDisclosure(used > 0);
  return (
    <FilterBar names={SESSION_FILTERS}>
      <TypeFilter />
      <PlayerPicker
        width={220}
        value={typeof values.player === 'string' ? values.player : ''}
        onChange={(player) => change({ player: player || undefined })}
      />
      <ChoiceFilter name="fill" label="Seats" choices={FILLS} />
      <ChoiceFilter name="idle" label="Last activity" choices={IDLE_CHOICES} width={190} />
      <ChoiceFilter name="state" label="State" choices={STATES} anyLabel="Running" width={120} />
      <Button
        variant="subtle"
        color="gray"
        aria-expanded={isOpen}
        aria-controls="more-filters"
        onClick={more.toggle}
      >
        {isOpen ? 'Fewer filters' : `More filters${used > 0 ? ` (${used})` : ''}`}
      </Button>
      <Collapse expanded={isOpen} id="more-filters" w="100%">
        <Group gap="xs" align="flex-end">
          <ChoiceFilter name="absent" label="Absence" choices={ABSENCES} width={190} />
          <ChoiceFilter name="platform" label="Platform" choices={PLATFORM_CHOICES} />
          <ChoiceFilter
            name="join_status"
            label="Instance"
            choices={toChoices(JOIN_STATUS_LABELS)}
          />
          <ChoiceFilter name="instance_health" label="Health" choices={toChoices(HEALTH_LABELS)} />
          <ChoiceFilter name="joinable" label="Open to" choices={YES_NO} width={180} />
          <TimeFilter name="created_from" label="Created from" />
          <TimeFilter name="created_to" label="Created before" />
        </Group>
      </Collapse>
    </FilterBar>
  );
};

/** Filters by the exact type. Suggests the configured types; sessions may have others. */
const TypeFilter = () => {
  const [typed, setTyped] = useTypedFilter('type');
  const input = useRef<HTMLInputElement>(null);
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

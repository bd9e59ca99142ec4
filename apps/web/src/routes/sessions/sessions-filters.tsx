import { Button, Collapse, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { PLATFORMS } from '@muster/contract';
import { ChoiceFilter } from '../../components/filters/choice-filter.tsx';
import { FilterBar } from '../../components/filters/filter-bar.tsx';
import { TimeFilter } from '../../components/filters/time-filter.tsx';
import { useUrlChange, useUrlValues } from '../../components/url/url-state.ts';
import { PlayerPicker } from '../../features/players/player-picker.tsx';
import {
  HEALTH_WORDS,
  JOIN_STATUS_WORDS,
  toChoices,
} from '../../features/sessions/session-words.ts';
import { SESSION_FILTERS } from './sessions-search.ts';
import { TypeFilter } from './type-filter.tsx';

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
const PLATFORM_CHOICES = PLATFORMS.map((value) => ({ value, label: value }));

/** The filters that few need stand behind "More filters", unless one of them is set. */
const MORE = [
  'platform',
  'join_status',
  'instance_health',
  'joinable',
  'created_from',
  'created_to',
];

export const SessionsFilters = () => {
  const values = useUrlValues();
  const change = useUrlChange();
  const used = MORE.filter((name) => values[name] !== undefined).length;
  const [isOpen, more] = useDisclosure(used > 0);
  return (
    <FilterBar names={SESSION_FILTERS}>
      <TypeFilter />
      <PlayerPicker
        label="Player"
        width={220}
        value={typeof values.player === 'string' ? values.player : ''}
        onChange={(player) => change({ player: player || undefined })}
      />
      <ChoiceFilter name="fill" label="Seats" choices={FILLS} />
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
          <ChoiceFilter name="platform" label="Platform" choices={PLATFORM_CHOICES} />
          <ChoiceFilter
            name="join_status"
            label="Instance"
            choices={toChoices(JOIN_STATUS_WORDS)}
          />
          <ChoiceFilter name="instance_health" label="Health" choices={toChoices(HEALTH_WORDS)} />
          <ChoiceFilter name="joinable" label="Open to" choices={YES_NO} width={180} />
          <TimeFilter name="created_from" label="Created from" />
          <TimeFilter name="created_to" label="Created before" />
        </Group>
      </Collapse>
    </FilterBar>
  );
};

// Finds a player by name, legacy id or UUID, and accepts the typed text if no player is found.
import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { toWrittenUuid, Uuid } from '@muster/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { trpc } from '../../api/client.ts';
import { usePermission } from '../../api/me.ts';
import { usePlayerNaming } from './player-name.tsx';

type PlayerPickerProps = {
  description?: ReactNode;
  /** A UUID, or any typed text where `takesAnything`; empty for no player. */
  value: string;
  onChange: (playerUuid: string) => void;
  /** Accepts any text, so that invalid requests can be composed. */
  takesAnything?: boolean;
  error?: ReactNode;
  width?: number;
  isRequired?: boolean;
  autoFocus?: boolean;
};

const DEBOUNCE_MS = 200;
const MAX_FOUND = 8;

export const PlayerPicker = (props: PlayerPickerProps) => {
  const { description, value, onChange, takesAnything = false, error, width } = props;
  const [typed, setTyped] = useState('');
  const uuid = readUuid(value);
  const { label: name } = usePlayerNaming(uuid);
  const chosen = { value, label: uuid === undefined ? value : name };
  const found = useFoundPlayers(typed === chosen.label ? '' : typed);
  const text = typed.trim();
  const usable = takesAnything ? text : readUuid(text);
  const others = found.filter((player) => player.value !== value);
  const isNew = usable && text !== chosen.label && !has(others, text, value);
  const data = [
    ...(value === '' ? [] : [chosen]),
    ...others,
    ...(isNew ? [{ value: usable, label: `Use ${text}` }] : []),
  ];
  return (
    <Select
      label="Player"
      description={description}
      placeholder="Name, legacy id or UUID"
      w={width}
      data={data}
      value={value === '' ? null : value}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear Player' }}
      // The service has already filtered, also by ids that the labels do not show.
      filter={({ options }) => options}
      nothingFoundMessage={text === '' ? 'Type a name, a legacy id or a UUID' : 'No player found'}
      onSearchChange={setTyped}
      onChange={(next) => onChange(next ?? '')}
      error={error}
      withAsterisk={props.isRequired}
      data-autofocus={props.autoFocus || undefined}
    />
  );
};

/** The canonical form of a UUID; undefined for any other text. */
const readUuid = (text: string): string | undefined => Uuid.safeParse(text).data;

const has = (players: readonly { value: string }[], text: string, value: string): boolean =>
  [value, ...players.map((player) => player.value)].includes(toWrittenUuid(text));

const useFoundPlayers = (typed: string): { value: string; label: string }[] => {
  const [settled] = useDebouncedValue(typed.trim().slice(0, 256), DEBOUNCE_MS);
  const input = { page_size: MAX_FOUND, ...(settled !== '' && { query: settled }) };
  const enabled = usePermission(['player:view']);
  const { data } = useQuery({
    ...trpc.players.list.queryOptions(input),
    placeholderData: keepPreviousData,
    enabled,
  });
  return (data?.players ?? []).map(({ player_uuid, display_name, player_id }) => ({
    value: player_uuid,
    label: `${display_name ?? player_uuid}${player_id === undefined ? '' : ` (${player_id})`}`,
  }));
};

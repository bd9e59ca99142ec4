// What the service finds for a query: records of every sandbox, sessions, players.
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useSandboxes } from '../../access/sandboxes.ts';
import type { ApiOutputs } from '../../api/trpc.ts';
import { trpc } from '../../api/trpc.ts';
import type { PaletteGroup } from './palette-entry.ts';

const SETTLE_MS = 150;
const LEAST_LENGTH = 2;

type Found = ApiOutputs['search']['find'];

export const useFoundEntries = (typed: string) => {
  const [query] = useDebouncedValue(typed.trim(), SETTLE_MS);
  const isAsked = query.length >= LEAST_LENGTH;
  const answer = useQuery({
    ...trpc.search.find.queryOptions({ query: query.slice(0, 128) }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
  });
  const groups = useGroups(isAsked ? answer.data : undefined);
  return {
    groups,
    isSearching: isAsked && answer.isFetching,
    error: isAsked ? answer.error : null,
  };
};

const useGroups = (found: Found | undefined): PaletteGroup[] => {
  const navigate = useNavigate();
  const sandboxes = useSandboxes();
  if (!found) return [];
  const nameOf = (id: string) => sandboxes.find(({ sandbox_id }) => sandbox_id === id)?.name ?? id;
  const records = found.records.map(({ kind, record_id, name, sandbox_id }) => ({
    id: `${sandbox_id}-${record_id}`,
    label: name,
    hint: `${kind === 'item' ? 'Item' : 'Xp'} in ${nameOf(sandbox_id)}`,
    run: () =>
      void navigate({
        to: kind === 'item' ? '/s/$sandbox/items/$id' : '/s/$sandbox/xp/$id',
        params: { sandbox: sandbox_id, id: record_id },
      }),
  }));
  const sessions = found.sessions.map(({ type, session_id }) => ({
    id: `session-${type}-${session_id}`,
    label: session_id,
    hint: type,
    run: () => void navigate({ to: '/sessions/$type/$id', params: { type, id: session_id } }),
  }));
  const players = found.players.map(({ player_uuid, display_name, player_id }) => ({
    id: `player-${player_uuid}`,
    label: display_name ?? player_uuid,
    hint: player_id === undefined ? undefined : `legacy id ${player_id}`,
    run: () => void navigate({ to: '/players/$id', params: { id: player_uuid } }),
  }));
  return [
    { title: 'Records', entries: records },
    { title: 'Sessions', entries: sessions },
    { title: 'Players', entries: players },
  ];
};

// One search field for records, sessions, players, pages and actions: a combobox with a listbox.

import { Box, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { KeyboardEvent } from 'react';
import { useEffect, useRef, useState } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { trpc } from '../../api/client.ts';
import { useCurrentSandbox, useSandboxes } from '../../api/sandboxes.ts';
import { formatKeys, useCommands } from '../../ui/commands.ts';
import { Name } from '../../ui/names.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { RECORD_KINDS } from '../records/record-kind.ts';
import { ADMIN_ENTRIES, SANDBOX_ENTRIES, SESSION_ENTRIES, useOpenEntries } from './nav.tsx';
import classes from './palette.module.css';

const LIST_ID = 'palette-list';

export const Palette = ({ onClose }: { onClose: () => void }) => {
  const [before] = useState(() => document.activeElement);
  const cancel = () => {
    onClose();
    if (before instanceof HTMLElement) before.focus();
  };
  return (
    // Only `cancel` restores the focus. A page that was opened from here focuses its own heading.
    <Modal.Root opened onClose={cancel} returnFocus={false} size="lg" yOffset="12vh">
      <Modal.Overlay />
      <Modal.Content aria-label="Search" radius="md">
        <Modal.Body p={0}>
          <PaletteBody onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
};

const PaletteBody = ({ onClose }: { onClose: () => void }) => {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const own = useOwnEntries(query.trim());
  const { groups: found, isSearching, error } = useFoundEntries(query);
  const groups = [...found, ...own].filter(({ entries }) => entries.length > 0);
  const entries = groups.flatMap((group) => group.entries);
  const active = entries[Math.min(at, entries.length - 1)];
  const run = (entry: PaletteEntry) => {
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) setAt((at + step + entries.length) % Math.max(1, entries.length));
    else if (event.key === 'Enter' && active) run(active);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        className={classes.input}
        role="combobox"
        aria-label="Search records, sessions, players, pages and actions"
        aria-expanded={entries.length > 0}
        aria-controls={LIST_ID}
        aria-activedescendant={active && toOptionId(active)}
        aria-autocomplete="list"
        placeholder="Search records, sessions, players, pages, actions"
        autoComplete="off"
        data-autofocus
        value={query}
        onChange={(event) => {
          setQuery(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      {error && <ErrorState error={error} />}
      <PaletteList id={LIST_ID} groups={groups} active={active} onRun={run} />
      <Box component="p" className="hint" mih="1.5em" p="0 16px 8px" role="status">
        {isSearching ? 'Searching …' : entries.length === 0 && 'Nothing found'}
      </Box>
    </>
  );
};

const toOptionId = ({ id }: PaletteEntry): string => `palette-${id.replace(/[^\w-]/g, '_')}`;

type PaletteListProps = {
  id: string;
  groups: readonly PaletteGroup[];
  active: PaletteEntry | undefined;
  onRun: (entry: PaletteEntry) => void;
};

/** The focus remains in the field; options are marked with `aria-activedescendant`. */
const PaletteList = ({ id, groups, active, onRun }: PaletteListProps) => {
  const list = useRef<HTMLDivElement>(null);
  const activeId = active?.id;
  useEffect(() => {
    if (activeId === undefined) return;
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  return (
    <div
      className={classes.list}
      id={id}
      role="listbox"
      aria-label="Found"
      ref={list}
      tabIndex={-1}
    >
      {groups.map(({ title, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a listbox groups its options by this role.
        <div key={title} role="group" aria-label={title}>
          <p className={classes.title} role="presentation">
            {title}
          </p>
          {entries.map((entry) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
            <div
              key={entry.id}
              id={toOptionId(entry)}
              className={classes.option}
              role="option"
              aria-selected={entry.id === activeId}
              tabIndex={-1}
              onClick={() => onRun(entry)}
            >
              <Box component="span" className="ellipsis" flex={1}>
                <Name name={entry.label} />
              </Box>
              {entry.hint && <span className={classes.hint}>{entry.hint}</span>}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
};

type PaletteEntry = {
  id: string;
  label: string;
  /** Shown on the right: a kind or a shortcut. */
  hint?: string;
  run: () => void;
};

type PaletteGroup = { title: string; entries: readonly PaletteEntry[] };

/** True if the label contains every word of the query. */
const matches = (label: string, query: string): boolean => {
  const text = label.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};

/** Local options: the actions of the page, and the pages that the account may open. */
const useOwnEntries = (query: string): PaletteGroup[] => {
  const actions = useCommands()
    .filter(({ isHidden }) => !isHidden)
    .map(({ label, keys, run }) => ({
      id: `action-${label}`,
      label,
      hint: keys && formatKeys(keys).join(' '),
      run,
    }));
  const pages = usePages();
  const fitting = (entries: PaletteEntry[]) => entries.filter(({ label }) => matches(label, query));
  return [
    { title: 'Actions', entries: fitting(actions) },
    { title: 'Pages', entries: fitting(pages) },
  ];
};

const usePages = (): PaletteEntry[] => {
  const navigate = useNavigate();
  const { sandbox } = useCurrentSandbox();
  const inSandbox = useOpenEntries(SANDBOX_ENTRIES, sandbox?.sandbox_id);
  const everywhere = useOpenEntries([...SESSION_ENTRIES, ...ADMIN_ENTRIES]);
  const ofSandbox = sandbox
    ? inSandbox.map(({ label, to }) => ({
        id: to,
        label,
        hint: sandbox.name,
        run: () => void navigate({ to, params: { sandbox: sandbox.sandbox_id } }),
      }))
    : [];
  const others = everywhere.map(({ label, to }) => ({
    id: to,
    label,
    run: () => void navigate({ to }),
  }));
  return [...ofSandbox, ...others];
};

const DEBOUNCE_MS = 150;
const MIN_LENGTH = 2;

type Found = ApiOutputs['search']['find'];

/** Options that the service finds: records of every sandbox, sessions and players. */
const useFoundEntries = (typed: string) => {
  const [query] = useDebouncedValue(typed.trim(), DEBOUNCE_MS);
  const isAsked = query.length >= MIN_LENGTH;
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
    id: `${sandbox_id}-${kind}-${record_id}`,
    label: name,
    hint: `${kind === 'item' ? 'Item' : 'Xp'} in ${nameOf(sandbox_id)}`,
    run: () =>
      void navigate({
        to: RECORD_KINDS[kind].paths.record,
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

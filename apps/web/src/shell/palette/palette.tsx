// One field that finds records, sessions, players, pages and actions. The pattern is a combobox with a listbox.
import { Modal } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { useState } from 'react';
import { ErrorState } from '../../components/states/error-state.tsx';
import classes from './palette.module.css';
import type { PaletteEntry } from './palette-entry.ts';
import { PaletteList, toOptionId } from './palette-list.tsx';
import { useFoundEntries } from './use-found-entries.ts';
import { useOwnEntries } from './use-own-entries.ts';

const LIST_ID = 'palette-list';

export const Palette = ({ onClose }: { onClose: () => void }) => {
  const [before] = useState(() => document.activeElement);
  const cancel = () => {
    onClose();
    if (before instanceof HTMLElement) before.focus();
  };
  return (
    // The focus goes back by `cancel` only: a page that was chosen here takes it for itself.
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
      <p className={classes.status} role="status">
        {isSearching ? 'Searching …' : entries.length === 0 && 'Nothing found'}
      </p>
    </>
  );
};

// What the page itself offers: its actions, and the pages that the account may open.
import { useNavigate } from '@tanstack/react-router';
import { useCommands } from '../../commands/command-registry.ts';
import { nameKeysForPeople } from '../../commands/key-names.ts';
import { ADMIN_ENTRIES, SANDBOX_ENTRIES, SESSION_ENTRIES } from '../nav-entries.ts';
import { useCurrentSandbox } from '../use-current-sandbox.ts';
import { useOpenEntries } from '../use-open-entries.ts';
import type { PaletteEntry, PaletteGroup } from './palette-entry.ts';
import { matches } from './palette-entry.ts';

export const useOwnEntries = (query: string): PaletteGroup[] => {
  const actions = useCommands()
    .filter(({ isHidden }) => !isHidden)
    .map(({ label, keys, run }) => ({
      id: `action-${label}`,
      label,
      hint: keys && nameKeysForPeople(keys).join(' '),
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

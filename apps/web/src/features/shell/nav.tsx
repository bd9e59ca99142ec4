import { Flex } from '@mantine/core';
import type { Permission } from '@muster/contract';
import { permits } from '@muster/contract';
import { Link } from '@tanstack/react-router';
import { useMe } from '../../api/me.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { useCurrentSandbox } from '../../api/sandboxes.ts';
import { Tag } from '../../ui/facts.tsx';
import type { IconName } from '../../ui/icons.tsx';
import { Icon } from '../../ui/icons.tsx';
import classes from './nav.module.css';

/** On a phone, `onNavigate` closes the drawer that contains the navigation. */
export const Nav = ({ onNavigate }: { onNavigate?: () => void }) => (
  <Flex
    component="nav"
    direction="column"
    gap="lg"
    px="xs"
    py="md"
    aria-label="Main"
    onClickCapture={onNavigate}
  >
    <SandboxGroup />
    <NavGroup title="Play" entries={SESSION_ENTRIES} />
    <NavGroup title="Administration" entries={ADMIN_ENTRIES} />
  </Flex>
);

const SandboxGroup = () => {
  const { sandbox } = useCurrentSandbox();
  return sandbox && <NavGroup title={sandbox.name} entries={SANDBOX_ENTRIES} sandbox={sandbox} />;
};

type NavGroupProps = {
  title: string;
  entries: typeof SANDBOX_ENTRIES | typeof SESSION_ENTRIES | typeof ADMIN_ENTRIES;
  sandbox?: Sandbox;
};

const NavGroup = ({ title, entries, sandbox }: NavGroupProps) => {
  const open = useOpenEntries<NavGroupProps['entries'][number]>(entries, sandbox?.sandbox_id);
  if (open.length === 0) return null;
  return (
    <section className={classes.group} data-production={sandbox?.protected || undefined}>
      <p className={classes.title}>
        <span className="ellipsis">{title}</span>
        {sandbox?.protected && <Tag tone="production">protected</Tag>}
      </p>
      <Flex component="ul" className="plain" direction="column" gap={1}>
        {open.map(({ label, to, icon }) => (
          <li key={to}>
            <Link
              to={to}
              params={{ sandbox: sandbox?.sandbox_id }}
              activeOptions={{ exact: to === '/s/$sandbox', includeSearch: false }}
              className={classes.link}
            >
              <Icon name={icon} size={16} stroke={1.6} />
              {label}
            </Link>
          </li>
        ))}
      </Flex>
    </section>
  );
};

const VIEW_SANDBOX = ['sandbox:config:view', 'sandbox:config:edit'] as const;
const VIEW_SESSIONS = ['session:view'] as const;

type Entry = {
  label: string;
  to: string;
  icon: IconName;
  /** One of these permissions is required. If empty, every account sees the entry. */
  anyOf?: readonly Permission[];
};

export const SANDBOX_ENTRIES = [
  { label: 'Overview', to: '/s/$sandbox', icon: 'layout-dashboard', anyOf: VIEW_SANDBOX },
  { label: 'Items', to: '/s/$sandbox/items', icon: 'box', anyOf: VIEW_SANDBOX },
  { label: 'Xp', to: '/s/$sandbox/xp', icon: 'stairs-up', anyOf: VIEW_SANDBOX },
  { label: 'History', to: '/s/$sandbox/history', icon: 'history', anyOf: VIEW_SANDBOX },
  {
    label: 'Change sets',
    to: '/s/$sandbox/change-sets',
    icon: 'git-pull-request',
    anyOf: VIEW_SANDBOX,
  },
  {
    label: 'Import',
    to: '/s/$sandbox/import',
    icon: 'file-import',
    anyOf: ['sandbox:config:edit'],
  },
  { label: 'Item schemas', to: '/s/$sandbox/schemas', icon: 'template', anyOf: VIEW_SANDBOX },
  { label: 'Trash', to: '/s/$sandbox/trash', icon: 'trash', anyOf: VIEW_SANDBOX },
  {
    label: 'Compare sandboxes',
    to: '/s/$sandbox/compare-sandboxes',
    icon: 'git-compare',
    anyOf: VIEW_SANDBOX,
  },
  { label: 'Public view', to: '/s/$sandbox/public', icon: 'world', anyOf: VIEW_SANDBOX },
] as const satisfies readonly Entry[];

export const SESSION_ENTRIES = [
  { label: 'Sessions', to: '/sessions', icon: 'users-group', anyOf: VIEW_SESSIONS },
  { label: 'Session types', to: '/session-types', icon: 'template', anyOf: VIEW_SESSIONS },
  { label: 'Players', to: '/players', icon: 'device-gamepad-2', anyOf: ['player:view'] },
  { label: 'Refused joins', to: '/refused-joins', icon: 'user-x', anyOf: VIEW_SESSIONS },
] as const satisfies readonly Entry[];

export const ADMIN_ENTRIES = [
  { label: 'Sandboxes', to: '/sandboxes', icon: 'stack-2' },
  { label: 'Keys', to: '/keys', icon: 'key', anyOf: ['key:manage'] },
  { label: 'Webhooks', to: '/webhooks', icon: 'webhook', anyOf: ['webhook:manage'] },
  { label: 'People', to: '/people', icon: 'users', anyOf: ['people:manage'] },
  { label: 'Audit', to: '/audit', icon: 'clipboard-list', anyOf: ['audit:view'] },
  { label: 'System', to: '/system', icon: 'activity', anyOf: ['metrics:view'] },
  { label: 'Settings', to: '/settings', icon: 'settings' },
] as const satisfies readonly Entry[];

/** The entries for pages that the account may open. */
export const useOpenEntries = <Open extends Pick<Entry, 'label' | 'anyOf'>>(
  entries: readonly Open[],
  sandboxId?: string,
): Open[] => {
  const { permissions } = useMe();
  return entries.filter(({ anyOf }) => !anyOf || permits(permissions, anyOf, sandboxId));
};

// The frame of every page after sign-in: header, navigation, palette, help.

import {
  ActionIcon,
  Box,
  Button,
  Drawer,
  Group,
  Kbd,
  Menu,
  Select,
  Text,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link, Outlet, useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { signOut, useMe } from '../../api/me.ts';
import { lastSandbox, timeZone } from '../../api/preferences.ts';
import { useCurrentSandbox, useSandboxes } from '../../api/sandboxes.ts';
import { formatKeys, listenForKeys, useCommand } from '../../ui/commands.ts';
import { restoreFocus, watchNavigation } from '../../ui/focus.ts';
import { Icon } from '../../ui/icons.tsx';
import { nameOf } from '../../ui/names.tsx';
import { Wordmark } from '../../ui/page.tsx';
import { Nav } from './nav.tsx';
import classes from './shell.module.css';

const Banners = lazy(() => import('./banners.tsx').then((m) => ({ default: m.Banners })));
const loadOverlays = () => import('./overlays.ts');
const Palette = lazy(() => loadOverlays().then((m) => ({ default: m.Palette })));
const KeysDialog = lazy(() => loadOverlays().then((m) => ({ default: m.KeysDialog })));

export const Shell = () => {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const [isNavOpen, nav] = useDisclosure(false);
  const { sandbox, isOpen } = useCurrentSandbox();
  const router = useRouter();
  useEffect(() => watchNavigation(router), [router]);
  useEffect(listenForKeys, []);
  useEffect(restoreFocus, []);
  useCommand({ label: 'Search', keys: 'mod+k', isHidden: true, run: () => setOpen('palette') });
  useCommand({ label: 'Show keyboard shortcuts', keys: '?', run: () => setOpen('keys') });
  const close = () => setOpen(null);
  return (
    <div className={classes.shell} data-production={(isOpen && sandbox?.protected) || undefined}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <header className={classes.header}>
        <ActionIcon
          className={classes.burger}
          size="lg"
          aria-label="Open navigation"
          onClick={nav.open}
        >
          <Icon name="menu-2" size={20} stroke={1.6} />
        </ActionIcon>
        <Link to="/" className={classes.home} aria-label="Muster, start page">
          <Wordmark />
        </Link>
        <SandboxSwitcher />
        <Box component="span" flex={1} />
        <SearchButton onOpen={() => setOpen('palette')} />
        <span className={classes.wide}>
          <ZoneSwitch />
          <SchemeSwitch />
        </span>
        <AccountMenu onShowKeys={() => setOpen('keys')} />
      </header>
      <div className={classes.side}>
        <Nav />
      </div>
      <Drawer
        opened={isNavOpen}
        onClose={nav.close}
        position="left"
        title={<Wordmark />}
        size={280}
        hiddenFrom="sm"
      >
        <Nav onNavigate={nav.close} />
        <Group
          justify="space-between"
          px={10}
          py="sm"
          style={{ borderTop: '1px solid var(--muster-line)' }}
        >
          <ZoneSwitch />
          <SchemeSwitch />
        </Group>
      </Drawer>
      <main id="main" className={classes.main} tabIndex={-1}>
        <Suspense>
          <Banners />
        </Suspense>
        <Outlet />
      </main>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'keys' && <KeysDialog onClose={close} />}
      </Suspense>
    </div>
  );
};

const AccountMenu = ({ onShowKeys }: { onShowKeys: () => void }) => {
  const me = useMe();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon aria-label="Account" size="lg">
          <Icon name="user-circle" size={20} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {me.name ?? me.account_id}
          </Text>
          {me.email && (
            <Text size="xs" truncate>
              {me.email}
            </Text>
          )}
          {me.role && <Text size="xs">{me.role}</Text>}
        </Menu.Label>
        <Menu.Item component={Link} to="/settings" leftSection={<Icon name="settings" size={15} />}>
          Settings
        </Menu.Item>
        <Menu.Item leftSection={<Icon name="keyboard" size={15} />} onClick={onShowKeys}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item
          component="a"
          href="/THIRD-PARTY-LICENSES.txt"
          target="_blank"
          rel="noopener"
          leftSection={<Icon name="info-circle" size={15} />}
        >
          Third-party licences
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="logout" size={15} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};

const SchemeSwitch = () => {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  return (
    <Tooltip label={`Switch to ${other} colours`}>
      <ActionIcon
        size="lg"
        aria-label={`Switch to ${other} colours`}
        onClick={() => setColorScheme(other)}
      >
        <Icon name={other === 'dark' ? 'moon' : 'sun'} size={18} stroke={1.6} />
      </ActionIcon>
    </Tooltip>
  );
};

const ZoneSwitch = () => {
  const zone = timeZone.use();
  const other = zone === 'utc' ? 'local' : 'utc';
  const name = { utc: 'UTC', local: 'local time' };
  return (
    <Tooltip label={`Times are shown in ${name[zone]}. Switch to ${name[other]}`}>
      <Button
        variant="subtle"
        color="gray"
        aria-label={`Times in ${name[zone]}; switch to ${name[other]}`}
        onClick={() => timeZone.set(other)}
      >
        {zone === 'utc' ? 'UTC' : 'Local'}
      </Button>
    </Tooltip>
  );
};

/**
 * Shows the current sandbox, and links to the overviews of the others. On pages outside of a sandbox, such as
 * Sessions, it shows none, because their data belongs to the whole service.
 */
const SandboxSwitcher = () => {
  const active = useSandboxes();
  const { sandbox: current, isOpen } = useCurrentSandbox();
  const sandbox = isOpen ? current : undefined;
  const sandboxes = sandbox?.archived ? [...active, sandbox] : active;
  const navigate = useNavigate();
  const open = (id: string | null) => {
    if (!id) return;
    lastSandbox.set(id);
    void navigate({ to: '/s/$sandbox', params: { sandbox: id } });
  };
  if (sandboxes.length === 0) return null;
  return (
    <div
      className={classes.switcher}
      data-production={sandbox?.protected || undefined}
      data-global={!isOpen || undefined}
    >
      <Select
        aria-label={sandbox?.protected ? 'Sandbox (protected)' : 'Sandbox'}
        data={sandboxes.map(({ sandbox_id, name, protected: isProtected, archived }) => ({
          value: sandbox_id,
          label: `${nameOf({ name, id: sandbox_id })}${isProtected ? ' · protected' : ''}${archived ? ' · archived' : ''}`,
        }))}
        value={sandbox?.sandbox_id ?? null}
        placeholder={isOpen ? 'Unknown sandbox' : 'All sandboxes'}
        onChange={open}
        searchable={sandboxes.length > 7}
        leftSection={<span className={classes.dot} />}
        leftSectionWidth={26}
        comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      />
    </div>
  );
};

const SearchButton = ({ onOpen }: { onOpen: () => void }) => (
  <UnstyledButton className={classes.button} onClick={onOpen}>
    <Icon name="search" size={15} stroke={1.7} />
    <span className={classes.text}>Search</span>
    <Kbd size="xs" className={classes.keys}>
      {formatKeys('mod+k').join(' ')}
    </Kbd>
  </UnstyledButton>
);

// The shell around every page behind the sign-in: header, navigation, palette, help.
import { ActionIcon, Drawer } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { Link, Outlet, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { listenForKeys } from '../commands/run-keys.ts';
import { useCommand } from '../commands/use-command.ts';
import { giveFocusBack } from '../components/dialogs/give-focus-back.ts';
import { watchNavigation } from '../components/page/page-focus.ts';
import { AccountMenu } from './account-menu.tsx';
import { SchemeSwitch, ZoneSwitch } from './appearance.tsx';
import { Nav } from './nav.tsx';
import { SandboxSwitcher } from './sandbox-switcher.tsx';
import { SearchButton } from './search-button.tsx';
import classes from './shell.module.css';
import { useCurrentSandbox } from './use-current-sandbox.ts';
import { Wordmark } from './wordmark.tsx';

const Palette = lazy(() => import('./palette/palette.tsx').then((m) => ({ default: m.Palette })));
const KeysDialog = lazy(() => import('./keys-dialog.tsx').then((m) => ({ default: m.KeysDialog })));

export const Shell = () => {
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null);
  const [isNavOpen, nav] = useDisclosure(false);
  const { sandbox, isOpen } = useCurrentSandbox();
  const router = useRouter();
  useEffect(() => watchNavigation(router), [router]);
  useEffect(listenForKeys, []);
  useEffect(giveFocusBack, []);
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
          <IconMenu2 size={20} stroke={1.6} aria-hidden />
        </ActionIcon>
        <Link to="/" className={classes.home} aria-label="Muster, start page">
          <Wordmark />
        </Link>
        <SandboxSwitcher />
        <span className={classes.space} />
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
        title={<Wordmark />}
        size={280}
        hiddenFrom="sm"
      >
        <Nav onNavigate={nav.close} />
        <div className={classes.drawerFoot}>
          <ZoneSwitch />
          <SchemeSwitch />
        </div>
      </Drawer>
      <main id="main" className={classes.main} tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense>
        {open === 'palette' && <Palette onClose={close} />}
        {open === 'keys' && <KeysDialog onClose={close} />}
      </Suspense>
    </div>
  );
};

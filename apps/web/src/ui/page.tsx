// The layout of every page after sign-in: title, actions, content.

import { Anchor, Box, Group, Paper, Text, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { usePageFocus } from './focus.ts';
import classes from './page.module.css';
import { EmptyState, ErrorState, LoadingState } from './states.tsx';

type PageProps = {
  /** The heading of the page and the title of the browser tab. */
  title: string;
  /** Shown above the heading: links to the parent pages. */
  above?: ReactNode;
  /** Shown beside the heading: tags, an id. */
  beside?: ReactNode;
  /** Buttons on the right. */
  actions?: ReactNode;
  /** `fill`: the page is as high as the window, and its table scrolls. `scroll` (default): the page scrolls. */
  layout?: 'scroll' | 'fill';
  children: ReactNode;
};

export const Page = ({ title, above, beside, actions, layout = 'scroll', children }: PageProps) => {
  useDocumentTitle(`${title} · Muster`);
  const heading = usePageFocus();
  return (
    <div className={classes.page} data-layout={layout}>
      <header className={classes.header}>
        <Box miw={0}>
          {above && (
            <Box mb={2} fz="xs" c="dimmed">
              {above}
            </Box>
          )}
          <Group gap="sm" wrap="wrap">
            <Title order={1} className="anywhere" ref={heading} tabIndex={-1}>
              {title}
            </Title>
            {beside}
          </Group>
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </header>
      <div className={classes.content}>{children}</div>
    </div>
  );
};

/** Replaces a page that threw while it was loaded or rendered. */
export const PageError = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter();
  const retry = () => {
    reset();
    return router.invalidate();
  };
  return (
    <Page title="This page could not be shown">
      <ErrorState error={error} onRetry={retry} />
    </Page>
  );
};

export const PageNotFound = () => (
  <Page title="Page not found">
    <EmptyState title="There is no page at this address">
      <p>Check the address, or search for what you are looking for.</p>
      <Anchor component={Link} to="/">
        Go to the overview
      </Anchor>
    </EmptyState>
  </Page>
);

type PageRefusedProps = Pick<PageProps, 'title' | 'above'> & {
  /** The action that the account may not perform. */
  refusal: string;
  /** The missing permission, or the person who can help. */
  children?: ReactNode;
};

/** For `notFoundComponent` of a route with `requirePermission`. */
export const PageRefused = ({ refusal, children, ...page }: PageRefusedProps) => (
  <Page {...page}>
    <EmptyState title={refusal}>{children}</EmptyState>
  </Page>
);

export const PagePending = () => (
  <div className={classes.page}>
    <LoadingState />
  </div>
);

/** The layout of pages before sign-in: one centred card. */
export const GuestPage = ({ title, children }: { title: string; children: ReactNode }) => {
  useDocumentTitle(`${title} · Muster`);
  return (
    <div className={classes.guestPagePage}>
      <header>
        <Wordmark />
      </header>
      <Box component="main" w="min(26rem, 100%)">
        <Paper p="lg" bg="var(--muster-raised)" withBorder radius="md">
          <Title order={1} mb="md">
            {title}
          </Title>
          {children}
        </Paper>
      </Box>
    </div>
  );
};

export const Wordmark = () => (
  <span className={classes.wordmark}>
    <svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="currentColor" />
      <path d="M8 23V10l8 8 8-8v13" className={classes.sign} />
    </svg>
    <Box component="span" c="var(--mantine-color-text)">
      Muster
    </Box>
  </span>
);

type SettingsSectionProps = { title: string; description?: string; children: ReactNode };

/** A card with a description and its settings. */
export const SettingsSection = ({ title, description, children }: SettingsSectionProps) => (
  <Paper component="section" withBorder radius="md" p="md" aria-label={title}>
    <Title order={2}>{title}</Title>
    {description && (
      <Text size="sm" c="dimmed" mb="sm">
        {description}
      </Text>
    )}
    {children}
  </Paper>
);

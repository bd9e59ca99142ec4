// The events, newest first. New events are not shown while the mouse or the focus is in the list, so that nothing moves.

import { Box, Button, Flex, Group, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { RefObject } from 'react';
import { useEffect, useRef, useState } from 'react';
import { Name } from '../../ui/names.tsx';
import { EmptyState, ErrorState, LoadingState } from '../../ui/states.tsx';
import type { Rows } from '../../ui/table/rows.ts';
import { TimeText } from '../../ui/time.tsx';
import { AccountName } from '../accounts/account-name.tsx';
import type { TimelineEvent } from './event-sentence.tsx';
import { EventSentence } from './event-sentence.tsx';
import classes from './timeline.module.css';

export const Timeline = ({ rows }: { rows: Rows<TimelineEvent> }) => {
  const section = useRef<HTMLElement>(null);
  const isReading = useIsReading(section);
  const { newRows, showNewRows } = rows;
  const shown = useRef(0);
  useEffect(() => {
    if (newRows > 0 && !isReading && shown.current !== newRows) showNewRows();
    shown.current = isReading ? 0 : newRows;
  }, [newRows, isReading, showNewRows]);
  return (
    <section ref={section} aria-labelledby="timeline">
      <Group gap="sm" mih={32}>
        <Title order={2} id="timeline">
          Timeline
        </Title>
        {newRows > 0 && isReading && (
          <Button variant="light" size="compact-xs" onClick={showNewRows}>
            Show {newRows} new
          </Button>
        )}
      </Group>
      <Events rows={rows} />
    </section>
  );
};

const Events = ({ rows }: { rows: Rows<TimelineEvent> }) => {
  if (rows.isLoading) return <LoadingState lines={5} />;
  if (rows.error && rows.rows.length === 0) {
    return <ErrorState error={rows.error} onRetry={rows.refetch} />;
  }
  if (rows.rows.length === 0) return <EmptyState title="Nothing has happened yet" />;
  return (
    <>
      <ol className="plain raised">
        {rows.rows.map((event) => (
          <TimelineRow key={event.event_id} event={event} />
        ))}
      </ol>
      {rows.hasMore && (
        <Button variant="default" mt="sm" loading={rows.isLoadingMore} onClick={rows.loadMore}>
          Show older events
        </Button>
      )}
    </>
  );
};

const TONES: Record<string, string> = {
  session_created: 'good',
  player_joined: 'good',
  player_present: 'good',
  player_left: 'warn',
  player_removed: 'warn',
  player_absent: 'warn',
  seat_expired: 'warn',
  session_ended: 'bad',
  join_refused: 'bad',
};

/** The account of the service itself, which removes expired seats and sessions. */
const SERVICE = 'muster';

const TimelineRow = ({ event }: { event: TimelineEvent }) => {
  const { kind, account_id, player_uuid, session, session_version, occurred_at } = event;
  const code = event.detail?.error_code;
  return (
    <li className={classes.event} data-tone={TONES[kind]} data-kind={kind}>
      <span className={classes.dot} aria-hidden />
      <div>
        <Box component="p" m={0} className="anywhere">
          <EventSentence event={event} />
        </Box>
        <Flex component="p" className="hint" wrap="wrap" gap="0 12px">
          {session && <SessionLink {...session} />}
          {account_id !== player_uuid && (
            <span>
              by {account_id === SERVICE ? 'the service' : <AccountName id={account_id} />}
            </span>
          )}
          {code !== undefined && <span className="mono">{String(code)}</span>}
          {session_version !== undefined && (
            <span className="numbers">version {session_version}</span>
          )}
        </Flex>
      </div>
      <span className="hint">
        <TimeText at={occurred_at} />
      </span>
    </li>
  );
};

const SessionLink = ({ type, session_id }: { type: string; session_id: string }) => (
  <Link to="/sessions/$type/$id" params={{ type, id: session_id }}>
    <Name name={type} /> · <Name name={session_id} />
  </Link>
);

/**
 * Whether the mouse or the focus is inside the element, so that nothing in it may move. React's events do not report that a button was
 * removed while it had the focus or was under the mouse.
 */
const useIsReading = (element: RefObject<HTMLElement | null>): boolean => {
  const [isOver, setIsOver] = useState(false);
  const [hasFocus, setHasFocus] = useState(false);
  useEffect(() => {
    const node = element.current;
    if (!node) return;
    const controller = new AbortController();
    const { signal } = controller;
    const listen = (name: string, handle: () => void) =>
      node.addEventListener(name, handle, { signal });
    listen('pointerenter', () => setIsOver(true));
    listen('pointerleave', () => setIsOver(false));
    listen('focusin', () => setHasFocus(true));
    listen('focusout', () => setHasFocus(node.contains(document.activeElement)));
    return () => controller.abort();
  }, [element]);
  return isOver || hasFocus;
};

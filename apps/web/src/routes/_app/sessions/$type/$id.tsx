// One session: its board, its panels, its timeline.

import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { createFileRoute, Link } from '@tanstack/react-router';
import { api } from '../../../../api/client.ts';
import { usePermission } from '../../../../api/me.ts';
import {
  JoinAnnouncements,
  TeamCard,
  useRecentJoins,
} from '../../../../features/sessions/board.tsx';
import { InstancePanel } from '../../../../features/sessions/instance-panel.tsx';
import type { LiveSession } from '../../../../features/sessions/live-session.ts';
import {
  nameOf,
  SESSION_KEYS,
  useLiveSession,
  useSessionEvents,
} from '../../../../features/sessions/live-session.ts';
import {
  PlatformSessionsPanel,
  SettingsPanel,
} from '../../../../features/sessions/session-panels.tsx';
import { Timeline } from '../../../../features/sessions/timeline.tsx';
import { toTryItTarget } from '../../../../features/sessions/try-it-request.ts';
import { LinkButton } from '../../../../ui/action-button.tsx';
import { CopyableId } from '../../../../ui/copyable.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs.tsx';
import { Tag } from '../../../../ui/facts.tsx';
import { Page } from '../../../../ui/page.tsx';
import { QueryState } from '../../../../ui/states.tsx';
import { TimeText } from '../../../../ui/time.tsx';
import classes from './$id.module.css';

export const Route = createFileRoute('/_app/sessions/$type/$id')({
  component: SessionPage,
});

function SessionPage() {
  const { type, id } = Route.useParams();
  const { query, isStale } = useLiveSession({ type, session_id: id });
  if (query.data) {
    return <SessionView key={query.data.session.created} live={query.data} isStale={isStale} />;
  }
  return (
    <Page title="Session" above={<Link to="/sessions">Sessions</Link>}>
      <QueryState query={query}>{() => null}</QueryState>
    </Page>
  );
}

const SHORT_LENGTH = 18;

const shorten = (id: string): string => (id.length > SHORT_LENGTH ? id.slice(0, 8) : id);

const SessionView = ({ live, isStale }: { live: LiveSession; isStale: boolean }) => {
  const { session, ended } = live;
  const arrivals = useRecentJoins(session.teams);
  const isRunning = ended === undefined;
  const mayChange = usePermission(['session:*']) && isRunning;
  const events = useSessionEvents(nameOf(session), isRunning);
  return (
    <Page
      title={`${session.type} ${shorten(session.session_id)}`}
      above={<Link to="/sessions">Sessions</Link>}
      beside={<State ended={ended} isStale={isStale} />}
      actions={isRunning && <SessionActions live={live} />}
    >
      <p className={classes.id}>
        <CopyableId id={session.session_id} label="session id" />
        <span>
          created <TimeText at={session.created} />
        </span>
        {ended && (
          <span>
            ended <TimeText at={ended} />
          </span>
        )}
      </p>
      {isRunning && <FreeSeats teams={session.teams} />}
      <JoinAnnouncements arrivals={arrivals} />
      <div className={classes.layout}>
        <section className={classes.board} aria-label="Teams">
          {session.teams.map((team, index) => (
            <TeamCard
              key={team.team_id ?? index}
              live={live}
              team={team}
              arrived={arrivals}
              mayChange={mayChange}
            />
          ))}
        </section>
        <div className="column" style={{ gridArea: 'panels' }}>
          <SettingsPanel live={live} mayChange={mayChange} />
          <PlatformSessionsPanel live={live} mayChange={mayChange} />
          <InstancePanel live={live} mayChange={mayChange} />
        </div>
        <div style={{ gridArea: 'timeline' }}>
          <Timeline rows={events} />
        </div>
      </div>
    </Page>
  );
};

type Teams = LiveSession['session']['teams'];

/** The free seats of all teams, in one line. Held seats are not free. */
const FreeSeats = ({ teams }: { teams: Teams }) => {
  const free = teams.map(({ max_size, players }) => Math.max(0, max_size - players.length));
  const total = free.reduce((sum, count) => sum + count, 0);
  const capacity = teams.reduce((sum, { max_size }) => sum + max_size, 0);
  const each = teams.map(({ team_id }, at) => `team ${team_id}: ${free[at]}`).join(', ');
  return (
    <Text size="sm" className="numbers">
      <strong>
        {total} of {capacity} seats free
      </strong>
      {teams.length > 1 && ` · ${each}`}
    </Text>
  );
};

const State = ({ ended, isStale }: { ended: string | undefined; isStale: boolean }) => {
  if (ended) return <Tag>Ended</Tag>;
  return isStale ? <Tag tone="warn">Reconnecting …</Tag> : <Tag tone="good">Live</Tag>;
};

/** The actions for the whole session. */
const SessionActions = ({ live: { session } }: { live: LiveSession }) => {
  const [isAsking, asking] = useDisclosure(false);
  const mayTry = usePermission(['session:*', 'session:update-player:any']);
  const mayEnd = usePermission(['session:*']);
  const [child] = session.platform_session;
  const search = child && toTryItTarget(session, child);
  const seats = session.teams.reduce((sum, { players }) => sum + players.length, 0);
  return (
    <>
      {mayTry && search && (
        <LinkButton to="/sessions/try-it" search={search}>
          Try a join
        </LinkButton>
      )}
      {mayEnd && (
        <Button variant="default" c="var(--mantine-color-error)" onClick={asking.open}>
          End session
        </Button>
      )}
      <ConfirmDialog
        opened={isAsking}
        onClose={asking.close}
        title="End this session?"
        action="End session"
        isDestructive
        onConfirm={() => api.sessions.end.mutate(nameOf(session))}
        invalidates={SESSION_KEYS}
      >
        <Text>
          {seats === 0 ? 'No seat is taken.' : `Its ${seats} taken or held seats are lost.`} Its
          platform sessions become free, and no one can join it again. This cannot be undone; the
          timeline stays.
        </Text>
      </ConfirmDialog>
    </>
  );
};

// One session: its board, its panels, its timeline.
import { Link } from '@tanstack/react-router';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { Page } from '../../components/page/page.tsx';
import { Tag } from '../../components/tag/tag.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { Timeline } from '../../features/sessions/timeline.tsx';
import { ArrivalNews } from './board/arrival-news.tsx';
import { TeamCard } from './board/team-card.tsx';
import { useArrivals } from './board/use-arrivals.ts';
import type { LiveSession } from './live-session.ts';
import { InstancePanel } from './panels/instance-panel.tsx';
import { PlatformSessionsPanel } from './panels/platform-sessions-panel.tsx';
import { SettingsPanel } from './panels/settings-panel.tsx';
import { SessionActions } from './session-actions.tsx';
import classes from './session-page.module.css';
import { useSessionEvents } from './use-session-events.ts';

const SHORT_LENGTH = 18;

const shorten = (id: string): string => (id.length > SHORT_LENGTH ? id.slice(0, 8) : id);

export const SessionView = ({ live, isStale }: { live: LiveSession; isStale: boolean }) => {
  const { session, ended } = live;
  const name = { type: session.type, session_id: session.session_id };
  const arrivals = useArrivals(session.teams);
  const events = useSessionEvents(name, ended === undefined);
  const isRunning = ended === undefined;
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
      <ArrivalNews arrivals={arrivals} />
      <div className={classes.layout}>
        <section className={classes.board} aria-label="Teams">
          {session.teams.map((team, index) => (
            <TeamCard
              key={team.team_id ?? index}
              live={live}
              team={team}
              arrived={arrivals}
              isRunning={isRunning}
            />
          ))}
        </section>
        <div className={classes.panels}>
          <SettingsPanel live={live} isRunning={isRunning} />
          <PlatformSessionsPanel live={live} isRunning={isRunning} />
          <InstancePanel live={live} isRunning={isRunning} />
        </div>
        <div className={classes.timeline}>
          <Timeline rows={events} />
        </div>
      </div>
    </Page>
  );
};

const State = ({ ended, isStale }: { ended: string | undefined; isStale: boolean }) => {
  if (ended) return <Tag>Ended</Tag>;
  return isStale ? <Tag tone="warn">Reconnecting …</Tag> : <Tag tone="good">Live</Tag>;
};

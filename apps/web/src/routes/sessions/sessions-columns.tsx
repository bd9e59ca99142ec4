import { Link } from '@tanstack/react-router';
import type { ApiOutputs } from '../../api/trpc.ts';
import { defineColumns } from '../../components/data-table/columns.ts';
import { Tag } from '../../components/tag/tag.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { WordTag } from '../../features/sessions/word-tag.tsx';
import { SeatMeter } from './seat-meter.tsx';

export type SessionRow = ApiOutputs['sessions']['list']['sessions'][number];

/** Ended sessions can share their name with newer ones: the moment of the end tells them apart. */
export const sessionRowId = ({ session, ended }: SessionRow): string =>
  JSON.stringify([session.type, session.session_id, ended ?? session.created]);

const SessionLink = ({ session }: SessionRow) => (
  <span className="mono">
    <Link
      to="/sessions/$type/$id"
      params={{ type: session.type, id: session.session_id }}
      title={session.session_id}
    >
      {session.session_id}
    </Link>
  </span>
);

const Instance = ({ session: { instance } }: SessionRow) => {
  if (!instance) return <>–</>;
  const { instance_health: health } = instance;
  const isIll = health === 'unhealthy' || health === 'degraded';
  return (
    <>
      <WordTag of="instance" value={instance.join_status} />{' '}
      {isIll && <WordTag of="health" value={health} />}
    </>
  );
};

export const SESSION_COLUMNS = defineColumns<SessionRow>([
  { id: 'session', header: 'Session', width: 120, grow: true, cell: SessionLink },
  { id: 'type', header: 'Type', width: 110, cell: ({ session }) => session.type },
  {
    id: 'seats',
    header: 'Seats',
    width: 132,
    cell: ({ seats, capacity }) => <SeatMeter seats={seats} capacity={capacity} />,
  },
  {
    id: 'joinable',
    header: 'Open to',
    width: 100,
    isOnPhone: false,
    cell: ({ session }) => (session.joinable ? 'Everyone' : 'Invited'),
  },
  {
    id: 'platforms',
    header: 'Platforms',
    width: 150,
    isOnPhone: false,
    cell: ({ session }) =>
      [...new Set(session.platform_session.map(({ platform }) => platform))].join(', ') || '–',
  },
  { id: 'instance', header: 'Instance', width: 165, isOnPhone: false, cell: Instance },
  {
    id: 'region',
    header: 'Region',
    width: 110,
    isShown: false,
    cell: ({ session }) => session.region_id ?? '–',
  },
  {
    id: 'version',
    header: 'Version',
    width: 100,
    isShown: false,
    cell: ({ session }) => session.instance?.version ?? '–',
  },
  {
    id: 'created',
    header: 'Created',
    width: 140,
    isOnPhone: false,
    cell: ({ session, ended }) => (
      <>
        <TimeText at={session.created} /> {ended && <Tag>Ended</Tag>}
      </>
    ),
  },
]);

// The refused joins of the demo: those of the timelines, and one on PlayStation that found no session.
import type { RefusedJoinRow, RefusedRequest } from '../../sessions/index.ts';
import { toRefusedJoinRow } from '../../sessions/index.ts';
import type { DemoPlayer } from './demo-players.ts';
import type { DemoSession } from './demo-sessions.ts';

const MINUTE_MS = 60_000;

export const createDemoRefusedJoins = (
  sessions: readonly DemoSession[],
  players: readonly DemoPlayer[],
  now: Date,
): RefusedJoinRow[] => [
  ...sessions.flatMap(toRows),
  ...players
    .filter(({ platform }) => platform === 'PSN')
    .slice(0, 1)
    .map(({ playerUuid }) => toLostJoin(playerUuid, new Date(now.getTime() - 5 * MINUTE_MS))),
];

const toRows = ({ session, events }: DemoSession): RefusedJoinRow[] =>
  events.flatMap(({ kind, playerUuid, detail, at }) => {
    const [entered] = session.platformSessions;
    if (kind !== 'join_refused' || playerUuid === undefined || !entered) return [];
    const refused: RefusedRequest = {
      ...requestOf(playerUuid, at),
      platform: entered.platform,
      platformSessionId: entered.idBase64,
      session,
      errorCode: detail?.error_code as RefusedRequest['errorCode'],
      sentence: String(detail?.desc),
    };
    return [toRefusedJoinRow(refused, at)];
  });

const toLostJoin = (playerUuid: string, at: Date): RefusedJoinRow =>
  toRefusedJoinRow(
    {
      ...requestOf(playerUuid, at),
      platform: 'PSN',
      platformSessionId: 'UFNOL2VuZGVkLWxvYmJ5',
      errorCode: 'platform_session_not_found',
      sentence: 'There is no such platform session.',
    },
    at,
  );

const requestOf = (playerUuid: string, at: Date) => ({
  caller: { accountId: playerUuid, permissions: [] },
  player: playerUuid,
  requestId: `demo-${at.getTime().toString(36)}`,
});

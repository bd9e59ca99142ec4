// Between the sessions procedures and the service: filters and changes in, plain JSON out.
import { Uuid } from '@muster/contract';
import { z } from 'zod';
import type {
  DetailChanges,
  ListedSession,
  ListPosition,
  SessionFilter,
  SessionService,
  SessionState,
} from '../sessions/index.ts';
import { etagOf, listTransitions, toSessionResource } from '../sessions/index.ts';
import { Milliseconds } from './paging.ts';
import type { CountSessionsInput, UpdateSessionInput } from './session-inputs.ts';

export const toName = (input: { type: string; session_id: string }) => ({
  type: input.type,
  sessionId: input.session_id,
});

export const toView = (session: SessionState) => ({
  session: toSessionResource(session),
  etag: etagOf(session),
});

/** One session in full, with the states that its instance may move to. */
export const toDetailedView = ({ session, endedAt }: ListedSession) => ({
  ...toView(session),
  instance_transitions: [...listTransitions(session.details.instance)],
  ...toAbsenceView(session),
  ...(endedAt && { ended: endedAt.toISOString() }),
});

/** A mark of absence moves no ETag, so that a poll hears of it beside "unchanged". */
export const toUnchangedView = ({ session }: ListedSession) => ({
  unchanged: true as const,
  ...toAbsenceView(session),
});

const toAbsenceView = (session: SessionState): { absent_players?: AbsentPlayer[] } =>
  session.absences.size > 0 ? { absent_players: toAbsentPlayers(session) } : {};

type AbsentPlayer = { player_uuid: string; since: string };

const toAbsentPlayers = ({ absences }: SessionState): AbsentPlayer[] =>
  [...absences].map(([player_uuid, since]) => ({ player_uuid, since: since.toISOString() }));

export const toListView = ({ session, endedAt }: ListedSession) => ({
  ...toView(session),
  seats: session.seats.size,
  capacity: session.teams.reduce((sum, { maxSize }) => sum + maxSize, 0),
  ...(endedAt && { ended: endedAt.toISOString() }),
});

export const SessionPosition = z
  .tuple([Milliseconds, Uuid])
  .transform(([createdAt, key]): ListPosition => ({ createdAt: new Date(createdAt), key }));

const toDate = (value: string | undefined): Date | undefined =>
  value === undefined ? undefined : new Date(value);

export const toFilter = (input: CountSessionsInput): SessionFilter => ({
  type: input.type,
  platform: input.platform,
  playerUuid: input.player_uuid,
  joinable: input.joinable,
  fill: input.fill,
  joinStatus: input.join_status,
  instanceHealth: input.instance_health,
  createdFrom: toDate(input.created_from),
  createdTo: toDate(input.created_to),
  ended: input.ended,
});

export const toDetailChanges = (input: UpdateSessionInput): DetailChanges => ({
  joinable: input.joinable,
  regionId: input.region_id,
  customData: input.custom_data,
  browser: input.browser,
  match: input.match,
  matchmaking: input.matchmaking,
  matchmakingResults: input.matchmaking_results,
  backfill: input.backfill,
  createdByMatchmaking: input.created_by_matchmaking,
});

type StoredEvent = Awaited<ReturnType<SessionService['listEvents']>>[number];

export const toEventView = (event: StoredEvent) => ({
  event_id: event.eventId,
  occurred_at: event.occurredAt.toISOString(),
  kind: event.kind,
  account_id: event.accountId,
  ...(event.sessionVersion !== null && { session_version: Number(event.sessionVersion) }),
  ...(event.playerUuid !== null && { player_uuid: event.playerUuid }),
  ...(event.detail !== null && { detail: event.detail as Record<string, unknown> }),
});

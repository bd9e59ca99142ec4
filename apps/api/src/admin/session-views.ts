// Converts sessions between the admin procedures and the service: filters and changes in, plain JSON out.
import {
  DateTimeInput,
  Ignored,
  InstanceHealth,
  JoinStatus,
  Platform,
  ShortId,
  sessionDetailInputs,
  TeamInputs,
  text,
  Uuid,
} from '@muster/contract';
import { z } from 'zod';
import type {
  ListedSession,
  ListPosition,
  SessionFilter,
  SessionService,
  SessionState,
} from '../sessions/index.ts';
import { etagOf, listTransitions, toSessionResource } from '../sessions/index.ts';
import { Milliseconds, pageInput } from './pagination.ts';

export const name = { type: ShortId, session_id: ShortId };
export const expectedEtag = { expected_etag: text(1, 128).optional() };

export const toName = (input: { type: string; session_id: string }) => ({
  type: input.type,
  sessionId: input.session_id,
});

export const toView = (session: SessionState) => ({
  session: toSessionResource(session),
  etag: etagOf(session),
});

/** A repeated creation or end may return a session that has ended before. */
export const toRepeatableView = ({ session, endedAt }: ListedSession) => ({
  ...toView(session),
  ...(endedAt && { ended: endedAt.toISOString() }),
});

/** One session in full, with the states to which its instance may change. */
export const toDetailedView = ({ session, endedAt }: ListedSession) => ({
  ...toView(session),
  instance_transitions: [...listTransitions(session.details.instance)],
  ...toAbsenceView(session),
  ...(session.lastActivityAt && { last_activity_at: session.lastActivityAt.toISOString() }),
  ...(endedAt && { ended: endedAt.toISOString() }),
});

export const toFoundView = (found: ListedSession, ifNoneMatch: string | undefined) =>
  !found.endedAt && ifNoneMatch === etagOf(found.session)
    ? toUnchangedView(found)
    : toDetailedView(found);

/** Presence does not change the ETag, so a poll needs it next to "unchanged". */
export const toUnchangedView = ({ session }: ListedSession) => ({
  unchanged: true as const,
  ...toAbsenceView(session),
});

const toAbsenceView = (session: SessionState): { absent_players?: AbsentPlayer[] } =>
  session.disconnects.size > 0 ? { absent_players: toAbsentPlayers(session) } : {};

type AbsentPlayer = { player_uuid: string; since: string };

const toAbsentPlayers = ({ disconnects }: SessionState): AbsentPlayer[] =>
  [...disconnects].map(([player_uuid, since]) => ({ player_uuid, since: since.toISOString() }));

export const toListView = ({ session, endedAt }: ListedSession) => ({
  ...toView(session),
  seats: session.seats.size,
  capacity: session.teams.reduce((sum, { maxSize }) => sum + maxSize, 0),
  absent: session.disconnects.size,
  ...(session.lastActivityAt && { last_activity_at: session.lastActivityAt.toISOString() }),
  ...(endedAt && { ended: endedAt.toISOString() }),
});

export const SessionPosition = z
  .tuple([Milliseconds, Uuid])
  .transform(([createdAt, key]): ListPosition => ({ createdAt: new Date(createdAt), key }));

const toDate = (value: string | undefined): Date | undefined =>
  value === undefined ? undefined : new Date(value);

/** Ten years, far longer than any session lives. */
const MAX_IDLE_SECONDS = 315_360_000;

export const CountSessionsInput = z.object({
  type: ShortId.optional(),
  platform: Platform.optional(),
  player_uuid: Uuid.optional(),
  joinable: z.boolean().optional(),
  fill: z.enum(['empty', 'open', 'full']).optional(),
  join_status: JoinStatus.optional(),
  instance_health: InstanceHealth.optional(),
  created_from: DateTimeInput.optional(),
  created_to: DateTimeInput.optional(),
  idle_seconds: z.int().min(1).max(MAX_IDLE_SECONDS).optional(),
  has_absent: z.boolean().optional(),
  ended: z.boolean().optional(),
});

export const endReason = {
  reason: text(1, 1000).optional().meta({ description: 'The reason, kept in the audit trail.' }),
};

/** At least one filter, so that an empty input cannot end every session. */
export const EndSessionsInput = CountSessionsInput.omit({ ended: true })
  .extend({ ...pageInput, ...endReason })
  .refine(
    ({ page_size: _, cursor: __, reason: ___, ...filters }) =>
      Object.values(filters).some((value) => value !== undefined),
    { message: 'At least one filter is required' },
  );
type CountSessionsInput = z.infer<typeof CountSessionsInput>;

export const toFilter = (input: Partial<CountSessionsInput>): SessionFilter => ({
  type: input.type,
  platform: input.platform,
  playerUuid: input.player_uuid,
  joinable: input.joinable,
  fill: input.fill,
  joinStatus: input.join_status,
  instanceHealth: input.instance_health,
  createdFrom: toDate(input.created_from),
  createdTo: toDate(input.created_to),
  idleSince:
    input.idle_seconds === undefined
      ? undefined
      : new Date(Date.now() - input.idle_seconds * 1_000),
  hasAbsent: input.has_absent,
  ended: input.ended,
});

const details = sessionDetailInputs;

/** An absent field is unchanged; null clears it. */
export const UpdateSessionInput = z.object({
  ...name,
  ...expectedEtag,
  joinable: z.boolean().optional(),
  teams: TeamInputs.optional(),
  region_id: details.region_id.nullish(),
  custom_data: details.custom_data.nullish(),
  browser: details.browser.nullish(),
  match: details.match.nullish(),
  matchmaking: details.matchmaking.nullish(),
  matchmaking_results: details.matchmaking_results.nullish(),
  backfill: details.backfill.nullish(),
  created_by_matchmaking: details.created_by_matchmaking.nullish(),
  created: Ignored,
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

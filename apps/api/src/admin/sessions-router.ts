import { SessionInput, Uuid } from '@muster/contract';
import { z } from 'zod';
import type {
  DetailChanges,
  ListPosition,
  SessionService,
  SessionState,
} from '../sessions/index.ts';
import { etagOf, toSessionResource } from '../sessions/index.ts';
import { decodeCursor, encodeCursor } from './paging.ts';
import {
  AddPlatformSessionInput,
  GetSessionInput,
  InvitePlayerInput,
  ListEventsInput,
  ListSessionsInput,
  RemovePlatformSessionInput,
  RemovePlayerInput,
  SessionNameInput,
  SetInstanceInput,
  UpdateSessionInput,
} from './session-inputs.ts';
import { permittedProcedure, router } from './trpc.ts';

const toView = (session: SessionState) => ({
  session: toSessionResource(session),
  etag: etagOf(session),
});

const toName = (input: { type: string; session_id: string }) => ({
  type: input.type,
  sessionId: input.session_id,
});

const SessionPosition = z
  .tuple([z.int(), Uuid])
  .transform(([createdAt, key]): ListPosition => ({ createdAt: new Date(createdAt), key }));

const toDetailChanges = (input: UpdateSessionInput): DetailChanges => ({
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

export const createSessionsRouter = (sessions: SessionService) => {
  const view = permittedProcedure('session:view');
  const change = permittedProcedure('session:*');
  return router({
    create: change
      .input(SessionInput)
      .mutation(async ({ ctx, input }) => toView(await sessions.createSession(ctx.actor, input))),

    get: view.input(GetSessionInput).query(async ({ input }) => {
      const session = await sessions.getSession(toName(input));
      return input.if_none_match === etagOf(session)
        ? { unchanged: true as const }
        : toView(session);
    }),

    list: view.input(ListSessionsInput).query(async ({ input }) => {
      const after = decodeCursor(input.cursor, SessionPosition);
      const { sessions: page, next } = await sessions.listSessions(input, after, input.page_size);
      return {
        sessions: page.map(toView),
        ...(next && { cursor: encodeCursor([next.createdAt.getTime(), next.key]) }),
      };
    }),

    update: change.input(UpdateSessionInput).mutation(async ({ ctx, input }) => {
      const { teams, expected_etag: expectedEtag } = input;
      const changes = toDetailChanges(input);
      const name = toName(input);
      return toView(await sessions.updateSession(ctx.actor, name, changes, teams, expectedEtag));
    }),

    addPlatformSession: change
      .input(AddPlatformSessionInput)
      .mutation(async ({ ctx, input: { type, session_id, ...child } }) =>
        toView(await sessions.addPlatformSession(ctx.actor, toName({ type, session_id }), child)),
      ),

    removePlatformSession: change
      .input(RemovePlatformSessionInput)
      .mutation(async ({ ctx, input }) =>
        toView(await sessions.removePlatformSession(ctx.actor, toName(input), input)),
      ),

    setInstance: change
      .input(SetInstanceInput)
      .mutation(async ({ ctx, input }) =>
        toView(
          await sessions.setInstance(ctx.actor, toName(input), input.instance, input.expected_etag),
        ),
      ),

    invitePlayer: change.input(InvitePlayerInput).mutation(async ({ ctx, input }) => {
      const invitation = {
        playerUuid: input.player_uuid,
        teamId: input.team_id,
        status: input.status,
        invitingPlayerUuid: input.inviting_player_uuid,
        sourceSessionId: input.source_session_id,
      };
      return toView(await sessions.invitePlayer(ctx.actor, toName(input), invitation));
    }),

    removePlayer: change
      .input(RemovePlayerInput)
      .mutation(async ({ ctx, input }) =>
        toView(await sessions.removePlayer(ctx.actor, toName(input), input.player_uuid)),
      ),

    end: change
      .input(SessionNameInput)
      .mutation(async ({ ctx, input }) =>
        toView(await sessions.endSession(ctx.actor, toName(input))),
      ),

    events: view.input(ListEventsInput).query(async ({ input }) => {
      const after = decodeCursor(input.cursor, Uuid);
      const found = await sessions.listEvents(toName(input), after, input.page_size + 1);
      const page = found.slice(0, input.page_size);
      const last = page.at(-1);
      return {
        events: page.map(toEventView),
        ...(found.length > page.length && last && { cursor: encodeCursor(last.eventId) }),
      };
    }),
  });
};

type StoredEvent = Awaited<ReturnType<SessionService['listEvents']>>[number];

const toEventView = (event: StoredEvent) => ({
  event_id: event.eventId,
  occurred_at: event.occurredAt.toISOString(),
  kind: event.kind,
  account_id: event.accountId,
  ...(event.sessionVersion !== null && { session_version: Number(event.sessionVersion) }),
  ...(event.playerUuid !== null && { player_uuid: event.playerUuid }),
  ...(event.detail !== null && { detail: event.detail as Record<string, unknown> }),
});

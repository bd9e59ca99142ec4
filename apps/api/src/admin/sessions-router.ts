import { JOIN_FOR_ANY, SessionInput, Uuid } from '@muster/contract';
import type { TryJoin } from '../join/index.ts';
import type { SessionService } from '../sessions/index.ts';
import { etagOf } from '../sessions/index.ts';
import { decodeCursor, encodeCursor, MAX_COUNTED, toCountView, toPageMeta } from './paging.ts';
import {
  AddPlatformSessionInput,
  CountSessionsInput,
  FindSessionInput,
  GetSessionInput,
  InvitePlayerInput,
  ListEventsInput,
  ListSessionsInput,
  MovePlayerInput,
  PromotePlayerInput,
  RemovePlatformSessionInput,
  RemovePlayerInput,
  SessionNameInput,
  SetInstanceInput,
  SetInstanceStatusInput,
  SetPresenceInput,
  TryJoinInput,
  UpdateSessionInput,
} from './session-inputs.ts';
import {
  SessionPosition,
  toDetailChanges,
  toDetailedView,
  toEventView,
  toFilter,
  toListView,
  toName,
  toUnchangedView,
  toView,
} from './session-views.ts';
import { permittedProcedure, router } from './trpc.ts';

export const createSessionsRouter = (sessions: SessionService, tryJoin: TryJoin) => {
  const view = permittedProcedure('session:view');
  const change = permittedProcedure('session:*');
  return router({
    create: change
      .input(SessionInput)
      .mutation(async ({ ctx, input }) => toView(await sessions.createSession(ctx.actor, input))),

    get: view.input(GetSessionInput).query(async ({ input }) => {
      const name = toName(input);
      const found = input.ended
        ? await sessions.getEndedSession(name)
        : { session: await sessions.getSession(name) };
      return input.if_none_match === etagOf(found.session)
        ? toUnchangedView(found)
        : toDetailedView(found);
    }),

    /** For watching one: that it ends, or never was, is an answer. */
    find: view.input(FindSessionInput).query(async ({ input }) => {
      const found = await sessions.findSession(toName(input));
      if (!found) return null;
      const isKnown = !found.endedAt && input.if_none_match === etagOf(found.session);
      return isKnown ? toUnchangedView(found) : toDetailedView(found);
    }),

    list: view.input(ListSessionsInput).query(async ({ input }) => {
      const after = decodeCursor(input.cursor, SessionPosition);
      const { page_size: pageSize } = input;
      const { sessions: page, next } = await sessions.listSessions(
        toFilter(input),
        after,
        pageSize,
      );
      const cursor = next && encodeCursor([next.createdAt.getTime(), next.key]);
      return { sessions: page.map(toListView), page_meta: toPageMeta(pageSize, cursor) };
    }),

    count: view
      .input(CountSessionsInput)
      .query(async ({ input }) =>
        toCountView(await sessions.countSessions(toFilter(input), MAX_COUNTED)),
      ),

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

    setInstanceStatus: change.input(SetInstanceStatusInput).mutation(async ({ ctx, input }) => {
      const status = { joinStatus: input.join_status, instanceHealth: input.instance_health };
      const name = toName(input);
      return toView(await sessions.setInstanceStatus(ctx.actor, name, status, input.expected_etag));
    }),

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

    movePlayer: change.input(MovePlayerInput).mutation(async ({ ctx, input }) => {
      const move = { playerUuid: input.player_uuid, teamId: input.team_id };
      return toView(await sessions.movePlayer(ctx.actor, toName(input), move, input.expected_etag));
    }),

    promotePlayer: change.input(PromotePlayerInput).mutation(async ({ ctx, input }) => {
      const { player_uuid: playerUuid, expected_etag: expectedEtag } = input;
      return toView(
        await sessions.promotePlayer(ctx.actor, toName(input), playerUuid, expectedEtag),
      );
    }),

    setPresence: change.input(SetPresenceInput).mutation(async ({ ctx, input }) => {
      const presence = { playerUuid: input.player_uuid, present: input.present };
      return toView(await sessions.setPresence(ctx.actor, toName(input), presence));
    }),

    end: change
      .input(SessionNameInput)
      .mutation(async ({ ctx, input }) =>
        toView(await sessions.endSession(ctx.actor, toName(input))),
      ),

    tryJoin: permittedProcedure(...JOIN_FOR_ANY)
      .input(TryJoinInput)
      .mutation(({ ctx, input }) =>
        tryJoin(ctx.actor, ctx.caller, {
          platform: input.platform,
          platformSessionIdBase64: input.platform_session_id_base64,
          playerUuid: input.player_uuid,
          playerId: input.player_id?.toString(),
          body: input.body,
        }),
      ),

    events: view.input(ListEventsInput).query(async ({ input }) => {
      const after = decodeCursor(input.cursor, Uuid);
      const found = await sessions.listEvents(toName(input), after, input.page_size + 1);
      const page = found.slice(0, input.page_size);
      const last = found.length > page.length ? page.at(-1) : undefined;
      const cursor = last ? encodeCursor(last.eventId) : null;
      return { events: page.map(toEventView), page_meta: toPageMeta(input.page_size, cursor) };
    }),
  });
};

// Sessions and session types: created, watched and changed by admins.
import {
  boundedList,
  HeldSeatInput,
  heldSeatInputs,
  InstanceHealth,
  InstanceInput,
  JOIN_FOR_ANY,
  JoinStatus,
  MAX_WAIT_SECONDS,
  Platform,
  PlatformSessionId,
  PlatformSessionInput,
  SessionInput,
  SessionTypeInput,
  ShortId,
  TeamId,
  text,
  Uuid,
} from '@muster/contract';
import { z } from 'zod';
import { createSemaphore } from '../flow/index.ts';
import { ServiceError } from '../platform/index.ts';
import type { SessionService, SessionTypeService, TryJoin } from '../sessions/index.ts';
import { etagOf } from '../sessions/index.ts';
import {
  decodeCursor,
  encodeCursor,
  MAX_COUNTED,
  pageInput,
  toCountView,
  toPageMeta,
  toPageMetaOf,
} from './pagination.ts';
import {
  CountSessionsInput,
  EndSessionsInput,
  endReason,
  expectedEtag,
  name,
  SessionPosition,
  toDetailedView,
  toEventView,
  toFilter,
  toFoundView,
  toListView,
  toName,
  toRepeatableView,
  toUnchangedView,
  toView,
  UpdateSessionInput,
} from './session-views.ts';
import type { AdminContext } from './trpc.ts';
import { asActor, NoInput, permittedProcedure, router, toLongPoll } from './trpc.ts';

/** A change of one player in a session. */
const seat = { ...name, ...expectedEtag, player_uuid: Uuid };

const FindSessionInput = z.object({ ...name, if_none_match: text(1, 128).optional() });

const WatchSessionInput = FindSessionInput.extend({
  wait_seconds: z.int().min(0).max(MAX_WAIT_SECONDS).default(25).meta({
    description: 'How long to wait for a change when `if_none_match` is the current ETag.',
  }),
});

const SetInstanceStatusInput = z
  .object({
    ...name,
    ...expectedEtag,
    join_status: JoinStatus.optional(),
    instance_health: InstanceHealth.optional(),
  })
  .refine((input) => input.join_status !== undefined || input.instance_health !== undefined, {
    message: 'Either join_status or instance_health is required',
  });

const renew = {
  renew: z.boolean().optional().meta({
    description: 'True counts the life of the seat from this call instead of the first invitation.',
  }),
};

/** The limits of createMany: sessions in one call, and creations that run at once. */
const MAX_CREATED = 100;
const CONCURRENT_CREATIONS = 8;

/** Seats of one call take about as long as 2,000 joins. */
const MAX_CREATED_SEATS = 2_000;

const CreateManyInput = z.object({
  sessions: boundedList(SessionInput, { min: 1, max: MAX_CREATED }).refine(
    (sessions) =>
      sessions.reduce((sum, { players = [] }) => sum + players.length, 0) <= MAX_CREATED_SEATS,
    'The sessions may have 2,000 players together',
  ),
});

/** An unexpected error is thrown, so that the whole call fails and the error is logged. */
const toRefusedCreation = (error: unknown, isOutage: AdminContext['isOutage']) => {
  const isKnown = error instanceof ServiceError;
  if (!isKnown && !isOutage(error)) throw error;
  const { code, message } = isKnown ? error : new ServiceError('service_unavailable');
  return { error_code: code, desc: message };
};

const SwapPlayersInput = z.object({
  ...name,
  ...expectedEtag,
  // Not a tuple, which some generators of clients cannot read.
  player_uuids: z
    .array(Uuid)
    .length(2)
    .refine(([first, second]) => first !== second, 'Two different players are required'),
});

/** JSON.stringify cannot serialise everything that JSON.parse accepts. No real join nests deeper than a few levels. */
const MAX_NESTING = 100;
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/** As permissive as a URL and a body, so that the public endpoint reports the faults. */
const TryJoinInput = z.object({
  platform: z.string().max(1_024),
  platform_session_id_base64: z.string().max(16_384),
  player_uuid: z.string().max(1_024),
  player_id: z.union([z.number(), z.string().max(1_024)]).optional(),
  body: z
    .unknown()
    .refine((body) => !isDeeper(body, MAX_NESTING), 'Must not nest deeper than 100 levels')
    .optional(),
});

export const createSessionsRouter = (sessions: SessionService, tryJoin: TryJoin) => {
  const view = permittedProcedure('session:view');
  const change = permittedProcedure('session:*');
  return router({
    create: change
      .input(SessionInput)
      .mutation(async ({ ctx, input }) =>
        toRepeatableView(await sessions.createSession(ctx.actor, input)),
      ),

    /** Each creation succeeds or fails independently. */
    createMany: change.input(CreateManyInput).mutation(async ({ ctx, input }) => {
      const takeTurn = createSemaphore(CONCURRENT_CREATIONS);
      const create = (session: SessionInput) =>
        sessions
          .createSession(ctx.actor, session)
          .then(toRepeatableView, (error: unknown) => toRefusedCreation(error, ctx.isOutage));
      const creations = input.sessions.map((session) => takeTurn(() => create(session)));
      return { results: await Promise.all(creations) };
    }),

    get: view
      .input(FindSessionInput.extend({ ended: z.boolean().optional() }))
      .query(async ({ input }) => {
        const found = input.ended
          ? await sessions.getEndedSession(toName(input))
          : { session: await sessions.getSession(toName(input)) };
        return input.if_none_match === etagOf(found.session)
          ? toUnchangedView(found)
          : toDetailedView(found);
      }),

    /** For polling: an ended or unknown session is a result, not an error. */
    find: view.input(FindSessionInput).query(async ({ input }) => {
      const found = await sessions.findSession(toName(input));
      return found && toFoundView(found, input.if_none_match);
    }),

    watch: view.input(WatchSessionInput).query(({ ctx, input }) => {
      const { if_none_match: ifNoneMatch, wait_seconds: seconds } = input;
      return sessions.watchSession(ctx.caller.accountId, toName(input), {
        ifNoneMatch,
        waitMs: seconds * 1_000,
        longPoll: toLongPoll(ctx, ['session:view']),
        toView: (found) => found && toFoundView(found, ifNoneMatch),
      });
    }),

    list: view.input(CountSessionsInput.extend(pageInput)).query(async ({ input }) => {
      const after = decodeCursor(input.cursor, SessionPosition);
      const page = await sessions.listSessions(toFilter(input), after, input.page_size);
      const cursor = page.next && encodeCursor([page.next.createdAt.getTime(), page.next.key]);
      return {
        sessions: page.sessions.map(toListView),
        page_meta: toPageMeta(input.page_size, cursor),
      };
    }),

    count: view
      .input(CountSessionsInput)
      .query(async ({ input }) =>
        toCountView(await sessions.countSessions(toFilter(input), MAX_COUNTED)),
      ),

    update: change.input(UpdateSessionInput).mutation(async ({ ctx, input }) => {
      const etag = input.expected_etag;
      return toView(await sessions.updateSession(ctx.actor, toName(input), input, etag));
    }),

    addPlatformSession: change
      .input(
        z.object({
          ...name,
          ...expectedEtag,
          ...PlatformSessionInput.shape,
          replace: z.boolean().default(false),
        }),
      )
      .mutation(async ({ ctx, input }) => {
        const etag = input.expected_etag;
        return toView(await sessions.addPlatformSession(ctx.actor, toName(input), input, etag));
      }),

    removePlatformSession: change
      .input(
        z.object({
          ...name,
          ...expectedEtag,
          platform: Platform,
          platform_session_id_base64: PlatformSessionId,
        }),
      )
      .mutation(async ({ ctx, input }) => {
        const etag = input.expected_etag;
        return toView(await sessions.removePlatformSession(ctx.actor, toName(input), input, etag));
      }),

    setInstance: change
      .input(z.object({ ...name, ...expectedEtag, instance: InstanceInput.nullable() }))
      .mutation(async ({ ctx, input }) => {
        const { instance, expected_etag: etag } = input;
        return toView(await sessions.setInstance(ctx.actor, toName(input), instance, etag));
      }),

    setInstanceStatus: change.input(SetInstanceStatusInput).mutation(async ({ ctx, input }) => {
      const { join_status: joinStatus, instance_health: instanceHealth } = input;
      const status = { joinStatus, instanceHealth };
      const etag = input.expected_etag;
      return toView(await sessions.setInstanceStatus(ctx.actor, toName(input), status, etag));
    }),

    invitePlayer: change
      .input(z.object({ ...name, ...expectedEtag, ...HeldSeatInput.shape, ...renew }))
      .mutation(async ({ ctx, input }) => {
        const etag = input.expected_etag;
        return toView(await sessions.invitePlayers(ctx.actor, toName(input), [input], etag));
      }),

    invitePlayers: change
      .input(z.object({ ...name, ...expectedEtag, players: heldSeatInputs(1), ...renew }))
      .mutation(async ({ ctx, input }) => {
        const players = input.players.map((player) => ({ ...player, renew: input.renew }));
        const etag = input.expected_etag;
        return toView(await sessions.invitePlayers(ctx.actor, toName(input), players, etag));
      }),

    swapPlayers: change.input(SwapPlayersInput).mutation(async ({ ctx, input }) => {
      const [first = '', second = ''] = input.player_uuids;
      const etag = input.expected_etag;
      return toView(await sessions.swapPlayers(ctx.actor, toName(input), [first, second], etag));
    }),

    removePlayer: change
      .input(z.object({ ...seat, prevent_rejoin: z.boolean().optional() }))
      .mutation(async ({ ctx, input }) => {
        const removal = { playerUuid: input.player_uuid, preventRejoin: input.prevent_rejoin };
        const etag = input.expected_etag;
        return toView(await sessions.removePlayer(ctx.actor, toName(input), removal, etag));
      }),

    movePlayer: change
      .input(z.object({ ...seat, team_id: TeamId }))
      .mutation(async ({ ctx, input }) => {
        const move = { playerUuid: input.player_uuid, teamId: input.team_id };
        const etag = input.expected_etag;
        return toView(await sessions.movePlayer(ctx.actor, toName(input), move, etag));
      }),

    promotePlayer: change.input(z.object(seat)).mutation(async ({ ctx, input }) => {
      const { player_uuid: playerUuid, expected_etag: etag } = input;
      return toView(await sessions.promotePlayer(ctx.actor, toName(input), playerUuid, etag));
    }),

    setPresence: change
      .input(z.object({ ...seat, present: z.boolean() }))
      .mutation(async ({ ctx, input }) => {
        const presence = { playerUuid: input.player_uuid, present: input.present };
        const etag = input.expected_etag;
        return toView(await sessions.setPresence(ctx.actor, toName(input), presence, etag));
      }),

    end: change
      .input(z.object({ ...name, ...expectedEtag, ...endReason, if_empty: z.boolean().optional() }))
      .mutation(async ({ ctx, input }) => {
        const { if_empty: ifEmpty, reason, expected_etag: etag } = input;
        const how = { ifEmpty, reason };
        return toRepeatableView(await sessions.endSession(ctx.actor, toName(input), how, etag));
      }),

    /** Processes one page per call, so that a caller can show progress and stop. */
    endMatching: change.input(EndSessionsInput).mutation(async ({ ctx, input }) => {
      const after = decodeCursor(input.cursor, SessionPosition);
      const { page_size: size, reason } = input;
      const filter = toFilter(input);
      const result = await sessions.endSessions(ctx.actor, filter, after, size, reason);
      const { ended, skipped, next } = result;
      const cursor = next && encodeCursor([next.createdAt.getTime(), next.key]);
      return { ended, skipped, page_meta: toPageMeta(size, cursor) };
    }),

    delete: change
      .input(z.object({ ...name, ...expectedEtag }))
      .mutation(async ({ ctx, input }) => {
        await sessions.deleteSession(ctx.actor, toName(input), input.expected_etag);
        return { deleted: true as const };
      }),

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

    events: view.input(z.object({ ...name, ...pageInput })).query(async ({ input }) => {
      const { page_size: size } = input;
      const after = decodeCursor(input.cursor, Uuid);
      const found = await sessions.listEvents(toName(input), after, size + 1);
      const page = { rows: found.slice(0, size), hasMore: found.length > size };
      const page_meta = toPageMetaOf(size, page, (event) => event.eventId);
      return { events: page.rows.map(toEventView), page_meta };
    }),
  });
};

export const createSessionTypesRouter = (types: SessionTypeService) => {
  const view = permittedProcedure('session:view');
  return router({
    upsert: permittedProcedure('session:*')
      .input(SessionTypeInput)
      .mutation(asActor(types.upsertType)),
    delete: permittedProcedure('session:*')
      .input(z.object({ type: ShortId }))
      .mutation(async ({ ctx, input }) => {
        await types.deleteType(ctx.actor, input);
        return { deleted: true as const };
      }),
    get: view.input(z.object({ type: ShortId })).query(({ input }) => types.getType(input.type)),
    list: view.input(NoInput).query(async () => ({ session_types: await types.listTypes() })),
  });
};

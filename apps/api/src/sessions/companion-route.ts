// Answers the companion endpoints over HTTP.
import { companionContract } from '@muster/contract';
import { initServer } from '@ts-rest/express';
import type { Caller } from '../auth/index.ts';
import type { LongPoll } from '../flow/index.ts';
import type { CompanionService } from './companion-service.ts';

const server = initServer();

/** Set by the middleware of public requests before any route runs. */
type CompanionLocals = { caller: Caller; longPoll: LongPoll };

const longPollOf = (response: { locals: object }): LongPoll =>
  (response.locals as CompanionLocals).longPoll;

const callerOf = (response: { locals: object }): Caller =>
  (response.locals as CompanionLocals).caller;

export type CompanionRoutes = ReturnType<typeof createCompanionRoutes>;

/** `refuseChanges` throws during maintenance. */
export const createCompanionRoutes = (companion: CompanionService, refuseChanges: () => void) => ({
  readSession: server.route(
    companionContract.readSession,
    async ({ params: { type, session_id: sessionId }, headers, query, res }) => {
      const isKnown = (etag: string) => matchesEtag(headers['if-none-match'], etag);
      const view = await companion.readSession(
        () => callerOf(res),
        { type, sessionId },
        { isKnown, waitMs: (query.wait ?? 0) * 1_000, longPoll: longPollOf(res) },
      );
      res.setHeader('ETag', view.etag);
      return view.toBody ? { status: 200, body: view.toBody() } : { status: 304, body: undefined };
    },
  ),

  listPlayerSessions: server.route(
    companionContract.listPlayerSessions,
    async ({ params: { player_uuid: playerUuid }, res }) => ({
      status: 200,
      body: await companion.listSessions(callerOf(res), playerUuid),
    }),
  ),

  leaveSession: server.route(
    companionContract.leaveSession,
    async ({ params: { type, session_id: sessionId, player_uuid: playerUuid }, res }) => {
      refuseChanges();
      await companion.leaveSession(callerOf(res), { type, sessionId }, playerUuid);
      return { status: 204, body: undefined };
    },
  ),
});

const ENTITY_TAG = /"[^"]*"/g;

/** If-None-Match compares weakly (RFC 9110 section 13.1.2). */
const matchesEtag = (header: string | undefined, etag: string): boolean => {
  if (header === undefined) return false;
  const tags: string[] = header.match(ENTITY_TAG) ?? [];
  return header.trim() === '*' || tags.includes(etag);
};

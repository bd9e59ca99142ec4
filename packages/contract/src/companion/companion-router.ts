// The companion endpoints: what a game client does with its sessions besides the join. A contract of its own, so that
// the public interface keeps its three endpoints.
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { ServiceErrorBody, ValidationErrorBody } from '../errors/error-bodies.ts';
import { integerParameter, once } from '../history/history.ts';
import { CredentialHeaders, everywhere } from '../route-parts.ts';
import { Session } from '../session/session.ts';
import { ShortId, Uuid } from '../strings.ts';
import { MAX_LISTED_SESSIONS, PlayerSessions } from './session-references.ts';

const c = initContract();

const refusals = {
  403: ServiceErrorBody,
  404: ServiceErrorBody,
  422: ValidationErrorBody,
  429: ServiceErrorBody,
  503: ServiceErrorBody,
  ...everywhere,
};

const SessionPath = z.object({
  type: ShortId.meta({ description: 'Template type of the session.' }),
  session_id: ShortId.meta({ description: 'Id of the session, unique within its type.' }),
});

const player_uuid = Uuid.meta({ description: 'The player.' });

/** The longest wait of a long poll: proxies end a request without a response after a minute. */
export const MAX_WAIT_SECONDS = 55;

const NoQuery = z.object({});

export const companionContract = c.router(
  {
    readSession: {
      method: 'GET',
      path: '/session/v1/session/:type/:session_id',
      summary: 'Read a session',
      description:
        'The session as a join returns it, for players with a seat and for callers with `session:view`. A player reads with `session:update-player:self`. An invited player, and one with a reserved seat, sees no connection data (`join_params`, `instance_startup_params`, ids of the host process, custom data of the instance and of platform sessions) and no custom data of other players. For any other player the response is that of an unknown session. With `If-None-Match`, an unchanged session is 304. With `wait` as well, the response comes when the session changes, or after that time; two such responses to the same caller are at least 250 ms apart.',
      headers: CredentialHeaders.extend({
        'if-none-match': z.string().optional().meta({
          description: 'ETags that the client has: the response is 304 when one is current.',
        }),
      }),
      pathParams: SessionPath,
      query: z.object({
        wait: once(integerParameter(z.int().min(1).max(MAX_WAIT_SECONDS).optional())).meta({
          description: 'Seconds to wait for a change when `If-None-Match` has the current ETag.',
        }),
      }),
      responses: { 200: Session, 304: c.noBody(), 409: ServiceErrorBody, ...refusals },
    },
    listPlayerSessions: {
      method: 'GET',
      path: '/session/v1/player/:player_uuid/session',
      summary: 'List the sessions of a player',
      description: `The live sessions in which the player has a seat or an invitation, at most ${MAX_LISTED_SESSIONS}, newest seat first. A player lists the own sessions with \`session:update-player:self\`; the sessions of any player need \`session:view\`.`,
      headers: CredentialHeaders,
      pathParams: z.object({ player_uuid }),
      query: NoQuery,
      responses: { 200: PlayerSessions, ...refusals },
    },
    leaveSession: {
      method: 'DELETE',
      path: '/session/v1/session/:type/:session_id/player/:player_uuid',
      summary: 'Leave a session',
      description:
        'The player gives up the seat, or declines the invitation. Leaving again is safe: a player without a seat is 204 as well. When the leader leaves, the most senior member becomes leader. Leaving for any player needs `session:*` or `session:update-player:any`, leaving for oneself `session:update-player:self`.',
      headers: CredentialHeaders,
      pathParams: SessionPath.extend({ player_uuid }),
      query: NoQuery,
      responses: { 204: c.noBody(), 409: ServiceErrorBody, ...refusals },
    },
  },
  { strictStatusCodes: true },
);

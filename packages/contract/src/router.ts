// The one source of the public interface: three endpoints, their inputs and every answer.
import { initContract } from '@ts-rest/core';
import { z } from 'zod';
import { ServiceErrorBody, ValidationErrorBody } from './errors/error-bodies.ts';
import { ItemHistory, ItemHistoryQuery, XpHistory, XpHistoryQuery } from './history/history.ts';
import { Platform, PlatformSessionId } from './platform.ts';
import { CredentialHeaders, everywhere } from './route-parts.ts';
import { JoinQuery, JoinRequest } from './session/join-request.ts';
import { Session } from './session/session.ts';
import { Uuid } from './strings.ts';

const c = initContract();

const historyRefusals = {
  403: ServiceErrorBody,
  404: ServiceErrorBody,
  422: ValidationErrorBody,
  429: ServiceErrorBody,
  503: ServiceErrorBody,
  ...everywhere,
};

const SandboxPath = z.object({
  sandbox_id: Uuid.meta({ description: 'The sandbox that the records live in.' }),
});

/** The sentence about access in the description of the histories. */
export const HISTORY_ACCESS =
  'Needs any one of the permissions `sandbox:config:view`, `sandbox:config:edit`, `sandbox:*`, for all sandboxes or for this one, unless the service opens its histories to everyone.';

export const contract = c.router(
  {
    listItemHistory: {
      method: 'GET',
      path: '/v1/history/sandbox/:sandbox_id/item/',
      summary: 'List the service version history',
      description: `Lists the versions of the Items of a sandbox, newest first by default. Filters combine with AND, ids within one filter with OR. The first page fixes which versions the walk covers: each is returned once, even while new versions are written. An unknown sandbox has an empty history. The path without the slash at its end is the same. ${HISTORY_ACCESS}`,
      headers: CredentialHeaders,
      pathParams: SandboxPath,
      query: ItemHistoryQuery,
      responses: { 200: ItemHistory, ...historyRefusals },
    },
    listXpHistory: {
      method: 'GET',
      path: '/v1/history/sandbox/:sandbox_id/xp/',
      summary: 'List Xp version history',
      description: `Lists the versions of the Xp tables of a sandbox, newest first by default. Filters combine with AND, ids within one filter with OR. The first page fixes which versions the walk covers: each is returned once, even while new versions are written. An unknown sandbox has an empty history. The path without the slash at its end is the same. ${HISTORY_ACCESS}`,
      headers: CredentialHeaders,
      pathParams: SandboxPath,
      query: XpHistoryQuery,
      responses: { 200: XpHistory, ...historyRefusals },
    },
    joinByPlatformSession: {
      method: 'POST',
      path: '/session/v1/platform/:platform/platform-session/:platform_session_id_base64/player/:player_uuid',
      summary: 'Join a session by platform session',
      description:
        'The player joins the parent session of the named platform session and holds one seat there. Joining again is safe: same data, same ETag, nothing written. A self-join states all player data: an absent `custom_data` or `crossplay_preferences` clears it; a join on behalf of a seated player keeps what it leaves out. Acting for any player needs `session:*` or `session:update-player:any`, acting for oneself `session:update-player:self`.',
      headers: CredentialHeaders,
      pathParams: z.object({
        platform: Platform,
        platform_session_id_base64: PlatformSessionId,
        player_uuid: Uuid.meta({ description: 'The player who joins.' }),
      }),
      query: JoinQuery,
      body: JoinRequest,
      responses: {
        200: Session,
        403: ServiceErrorBody,
        404: ServiceErrorBody,
        409: ServiceErrorBody,
        415: ServiceErrorBody,
        422: ValidationErrorBody,
        ...everywhere,
      },
    },
  },
  { strictStatusCodes: true },
);

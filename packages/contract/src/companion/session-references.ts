// The sessions of one player, each as a reference: how to read it, and how to join it again.
import { z } from 'zod';
import { PlayerStatus } from '../session/join-request.ts';
import { PlatformSession, Session } from '../session/session.ts';
import { TeamId } from '../strings.ts';

/** The largest number of sessions in one response. */
export const MAX_LISTED_SESSIONS = 100;

const PlatformSessionReference = PlatformSession.pick({
  platform: true,
  platform_session_type: true,
  platform_session_id_base64: true,
}).meta({
  id: 'PlatformSessionReference',
  description: 'Names a child session that lives on a platform.',
});

export const SessionReference = Session.pick({ type: true, session_id: true })
  .extend({
    status: PlayerStatus,
    team_id: TeamId,
    platform_session: z.array(PlatformSessionReference).meta({
      description: 'The player joins the session through any one of these.',
    }),
  })
  .meta({ id: 'SessionReference', description: 'A session in which the player has a seat.' });
export type SessionReference = z.infer<typeof SessionReference>;

export const PlayerSessions = z
  .object({
    sessions: z.array(SessionReference).max(MAX_LISTED_SESSIONS).meta({
      description: 'Newest seat first.',
    }),
  })
  .meta({ id: 'PlayerSessions', description: 'The live sessions of a player.' });
export type PlayerSessions = z.infer<typeof PlayerSessions>;

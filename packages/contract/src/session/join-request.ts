import { z } from 'zod';
import { integerParameter, once } from '../history/history.ts';
import { nullAsAbsent } from '../null-as-absent.ts';
import { Integer, Semver, StringMap, TeamId } from '../strings.ts';
import { ClientSettingsInput, CrossplayPreferences } from './client-settings.ts';

export const PlayerStatus = z.enum(['leader', 'member', 'invited', 'reserved']).meta({
  id: 'PlayerStatus',
  description:
    'leader and member hold a seat; invited and reserved keep one for a player who has not arrived.',
});
export type PlayerStatus = z.infer<typeof PlayerStatus>;

export const JoinRequest = nullAsAbsent(
  z.object({
    status: PlayerStatus.default('member').meta({
      description:
        'The status that the player wants after the request; member when absent. leader is a wish: a join promotes to leader where there is none, or for a caller who may act for any player. Only such a caller may ask for invited or reserved.',
    }),
    client_version: Semver.meta({
      description: 'Version of the client, in Semantic Versioning 2.0.0.',
    }),
    client_settings: ClientSettingsInput,
    team_id: TeamId.meta({
      description: 'Team that the player is on. One that the session does not have is a 422.',
      examples: [0],
    }),
    crossplay_preferences: CrossplayPreferences.optional(),
    custom_data: StringMap.optional().meta({ description: 'Defined by the player.' }),
  }),
).meta({
  id: 'JoinRequest',
  description: 'A player updating information about themselves.',
  examples: [
    {
      client_version: '1.4.2',
      client_settings: { platform: 'Steam', input: 'gamepad' },
      team_id: 0,
    },
  ],
});
export type JoinRequest = z.infer<typeof JoinRequest>;

export const JoinQuery = z.object({
  player_id: once(integerParameter(Integer.optional())).meta({
    description:
      'Legacy id of the player. Recorded only for callers who may act for any player; never identity or authorisation.',
  }),
});

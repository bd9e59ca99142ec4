// The values of the join form, and the request for them. Nothing is validated here:
// the service reports what is invalid.

import type { ApiInputs, ApiOutputs } from '../../api/client.ts';
import { toFieldErrors } from '../../api/errors.ts';
import type { CustomRow } from '../../ui/custom-data-editor.tsx';
import { toCustomData } from '../../ui/custom-data-editor.tsx';
import type { LiveSession } from './live-session.ts';

/** Values that a link prefills. */
export type TryItSearch = {
  platform?: string;
  id?: string;
  player?: string;
  version?: string;
  team?: number;
};

/** For a session without an instance, which accepts any version. */
export const DEFAULT_VERSION = '1.0.0';

export const newTryItValues = ({ platform, id, player, team, version }: TryItSearch) => ({
  platform: platform ?? '',
  platform_session_id_base64: id ?? '',
  player_uuid: player ?? '',
  player_id: '',
  status: 'member',
  team_id: String(team ?? 0),
  client_version: version ?? DEFAULT_VERSION,
  client_settings: { platform: platform ?? 'Steam', input: 'gamepad' },
  /** Empty: no preferences are sent. */
  crossplay_preferences: { permitted_platform: '', permitted_input: '' },
  custom: [] as CustomRow[],
});

export type TryItValues = ReturnType<typeof newTryItValues>;

export type Tried = ApiOutputs['sessions']['tryJoin'];

const ANY_PLATFORM = 'desired_platforms_any';
const ANY_INPUT = 'desired_inputs_any';

/** Converts digits to a number and empty text to undefined. Keeps any other text. */
const toNumber = (text: string): number | string | undefined => {
  if (text === '') return undefined;
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
};

const toBody = (values: TryItValues) => {
  const { permitted_platform, permitted_input } = values.crossplay_preferences;
  const hasPreferences = permitted_platform !== '' || permitted_input !== '';
  return {
    status: values.status || undefined,
    client_version: values.client_version || undefined,
    client_settings: values.client_settings,
    team_id: toNumber(values.team_id),
    crossplay_preferences: hasPreferences
      ? {
          permitted_platform: permitted_platform || ANY_PLATFORM,
          permitted_input: permitted_input || ANY_INPUT,
        }
      : undefined,
    custom_data: toCustomData(values.custom),
  };
};

export const toTryJoinInput = (values: TryItValues): ApiInputs['sessions']['tryJoin'] => ({
  platform: values.platform,
  platform_session_id_base64: values.platform_session_id_base64,
  player_uuid: values.player_uuid,
  player_id: toNumber(values.player_id),
  body: toBody(values),
});

/** The problems of a 422 by form field. */
export const toTriedErrors = ({ status, body }: Tried): Record<string, string> => {
  const { detail } = (body ?? {}) as { detail?: unknown };
  if (status !== 422 || !Array.isArray(detail)) return {};
  return toFieldErrors({ code: '', desc: '', status, detail, facts: {} });
};

type Session = Pick<LiveSession['session'], 'teams' | 'instance'>;
type Child = LiveSession['session']['platform_session'][number];

/** The default join for a session: a team with a free seat, and the version of its instance. */
export const toTryItTarget = ({ teams, instance }: Session, child: Child) => ({
  platform: child.platform,
  id: child.platform_session_id_base64,
  team: (teams.find((team) => team.players.length < team.max_size) ?? teams[0])?.team_id ?? 0,
  version: instance?.version,
});

// The values of a session that is being composed, and what is sent of them.
import type { ApiInputs } from '../../api/trpc.ts';
import type { CustomRow } from '../../components/custom-data/custom-data-editor.tsx';
import { toCustomData } from '../../features/sessions/custom-data.ts';
import type { TeamRow } from '../../features/sessions/teams-editor.tsx';
import { toTeams } from '../../features/sessions/to-teams.ts';
import type { PlatformSessionValues } from './dialogs/platform-session-fields.tsx';
import { newPlatformSession } from './dialogs/platform-session-fields.tsx';

export type NewSessionValues = {
  type: string;
  session_id: string;
  region_id: string;
  joinable: boolean;
  /** Whether the teams are those of the type. */
  usesDefaultTeams: boolean;
  teams: TeamRow[];
  hasPlatformSession: boolean;
  platform_session: [PlatformSessionValues];
  custom: CustomRow[];
};

export const newSessionValues = (type: string): NewSessionValues => ({
  type,
  session_id: '',
  region_id: '',
  joinable: true,
  usesDefaultTeams: true,
  teams: [{ team_id: 0, max_size: 4 }],
  hasPlatformSession: true,
  platform_session: [newPlatformSession()],
  custom: [],
});

/** The fields that show their own problems. */
export const NEW_SESSION_FIELDS = [
  'type',
  'session_id',
  'region_id',
  'teams',
  'platform_session',
  'custom_data',
];

type Input = ApiInputs['sessions']['create'];

export const toSessionInput = (values: NewSessionValues, hasDefaultTeams: boolean): Input =>
  ({
    type: values.type,
    session_id: values.session_id || undefined,
    region_id: values.region_id || undefined,
    joinable: values.joinable,
    teams: values.usesDefaultTeams && hasDefaultTeams ? undefined : toTeams(values.teams),
    platform_session: values.hasPlatformSession ? values.platform_session : undefined,
    custom_data: toCustomData(values.custom),
  }) as Input;

import type { TeamRow } from './teams-editor.tsx';

/** What is sent of edited teams. An empty number is left out: the service says what it misses, at the field. */
export const toTeams = (rows: readonly TeamRow[]) =>
  rows.map(({ team_id, max_size }) => ({
    team_id: team_id === '' ? undefined : Number(team_id),
    max_size: max_size === '' ? undefined : Number(max_size),
  }));

import type { LiveSession } from './live-session.ts';

type Session = Pick<LiveSession['session'], 'teams' | 'instance'>;
type Child = LiveSession['session']['platform_session'][number];

/** The join into a session that most likely gets a seat: a free one, in the version that its instance runs. */
export const toTryItTarget = ({ teams, instance }: Session, child: Child) => ({
  platform: child.platform,
  id: child.platform_session_id_base64,
  team: (teams.find((team) => team.players.length < team.max_size) ?? teams[0])?.team_id ?? 0,
  version: instance?.version,
});

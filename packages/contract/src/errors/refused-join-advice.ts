// What to do about each code with which a join of a verified caller is refused: for the people who help players.
import type { RecordedJoinErrorCode } from './refused-join-codes.ts';

export const REFUSED_JOIN_ADVICE: Readonly<Record<RecordedJoinErrorCode, string>> = {
  platform_session_not_found:
    'Check that a running session has this platform session: it may have ended, or its backend has not registered it.',
  session_not_joinable: 'Invite the player, or open the session to everyone.',
  player_removed: 'Invite the player again if the removal was a mistake.',
  version_incompatible:
    'Ask the player to update the game, or change the version rule of the session type.',
  crossplay_incompatible:
    'Compare the crossplay settings of the player with those of the players in the session.',
  team_full: 'Let the game ask for another team, or wait until a player leaves.',
  session_full: 'Send the player to another session, or wait until a player leaves.',
  instance_unjoinable: 'Wait until the instance takes players again, or set it to joinable.',
  instance_closed: 'Give the session a new instance, or send the player to another session.',
  player_not_found: 'Register the player first, or correct the legacy id that the game sends.',
  insufficient_permissions:
    'Compare the player of the request with the account, and check the permissions of the credential.',
  input_invalid: 'Correct these fields in the game or backend that sent the join.',
  team_not_found:
    'Correct the team in the game or backend: the page of the session lists its teams.',
  session_too_large: 'Reduce the custom data of the player or of the session.',
  body_too_large: 'Reduce the custom data: a join has at most 128 KiB.',
  body_compressed: 'Send the join without compression.',
  request_timeout: 'Check the network of the player: the request did not arrive completely.',
  session_busy: 'Let the game send the join again after the time in Retry-After.',
  internal_error: 'Search the log of the service for the request id.',
};

// Crossplay: what the joiner permits of the players who are there, and what they permit of the joiner.
import type { CrossplayPreferences, InputDevice, Platform } from '@muster/contract';
import type { Seat } from '../sessions/index.ts';

type Preferences = Pick<Seat, 'crossplay'>;
type Client = Pick<Seat, 'platform' | 'input'>;

const PERMITTED_PLATFORM: Record<CrossplayPreferences['permitted_platform'], Platform | null> = {
  desired_platforms_any: null,
  desired_platforms_xboxlike: 'XboxLive',
  desired_platforms_playstationlike: 'PSN',
};

const PERMITTED_INPUT: Record<CrossplayPreferences['permitted_input'], InputDevice | null> = {
  desired_inputs_any: null,
  desired_inputs_keyboardandmouse: 'keyboardandmouse',
  desired_inputs_gamepad: 'gamepad',
  desired_inputs_touch: 'touch',
};

/** The first preference of one player that forbids the other's client, or null. */
const findObjection = ({ crossplay }: Preferences, other: Client): string | null => {
  if (!crossplay) return null;
  const platform = PERMITTED_PLATFORM[crossplay.permitted_platform];
  if (platform && platform !== other.platform) {
    return `permitted_platform (${crossplay.permitted_platform})`;
  }
  const input = PERMITTED_INPUT[crossplay.permitted_input];
  return input && input !== other.input ? `permitted_input (${crossplay.permitted_input})` : null;
};

/**
 * A sentence that names the preference which keeps the joiner and the seated players apart, or null.
 * It never names another player.
 */
export const findCrossplayConflict = (
  joiner: Preferences & Client,
  seated: Iterable<Preferences & Client>,
): string | null => {
  for (const other of seated) {
    const own = findObjection(joiner, other);
    if (own) return `The ${own} of the joining player excludes a player of the session.`;
    const theirs = findObjection(other, joiner);
    if (theirs) return `The ${theirs} of a player of the session excludes the joining player.`;
  }
  return null;
};

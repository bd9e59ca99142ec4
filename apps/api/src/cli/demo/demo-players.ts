// The demo's 400 players, each on one of six platforms.
import type { InputDevice, Platform } from '@muster/contract';
import type { SeededRandom } from './demo-random.ts';
import { createSeededRandom, daysBefore, endOfYesterday } from './demo-random.ts';

export type DemoPlayer = {
  playerUuid: string;
  /** Legacy id; the latest players have none. */
  playerId?: number;
  displayName?: string;
  registeredAt: Date;
  platform: Platform;
  input: InputDevice;
};

/** The player of the sample request: always the same, so that repeating it never takes a second seat. */
export const SAMPLE_PLAYER: Pick<DemoPlayer, 'playerUuid' | 'platform' | 'input'> = {
  playerUuid: '7d2f3c1a-5b64-4e0f-9a8d-2c6e1f4b9a70',
  platform: 'Steam',
  input: 'gamepad',
};

const PLAYERS = 400;
const SEED = 44;
const FIRST_LEGACY_ID = 250_000;

/** The number of entries of a platform is its number of players in twenty. */
const PLATFORMS: readonly Platform[] = [
  'Steam',
  'Steam',
  'Steam',
  'Steam',
  'Steam',
  'PSN',
  'PSN',
  'PSN',
  'PSN',
  'PSN',
  'XboxLive',
  'XboxLive',
  'XboxLive',
  'XboxLive',
  'NintendoSwitch',
  'NintendoSwitch',
  'Epic',
  'Epic',
  'Apple',
  'Apple',
];

const INPUTS: Partial<Record<Platform, readonly InputDevice[]>> = {
  Steam: ['keyboardandmouse', 'keyboardandmouse', 'gamepad'],
  Epic: ['keyboardandmouse', 'gamepad'],
  Apple: ['touch', 'touch', 'gamepad'],
};

const FIRST_NAMES = [
  'Nova',
  'Pixel',
  'Zoë',
  'Ragnar',
  'Łukasz',
  'Mira',
  'Søren',
  'Kestrel',
  'Юлия',
  'Ártemis',
  'Badger',
  'Quill',
  'さくら',
  'Bolt',
  'İnci',
  'Falke',
  'Rook',
  'Çelik',
  'Ivy',
  'Tarn',
];
const LAST_NAMES = ['Fox', 'Byte', 'Storm', 'Wolf', 'Peak', 'Moth', 'Drift', 'Spark', 'Reed'];

export const createDemoPlayers = (now: Date): DemoPlayer[] => {
  const random = createSeededRandom(SEED);
  const end = endOfYesterday(now);
  return Array.from({ length: PLAYERS }, (_, index) => {
    const player = createPlayer(random, index, daysBefore(end, random.fraction() * 340 + 20));
    return index === 0 ? { ...player, ...SAMPLE_PLAYER } : player;
  });
};

const createPlayer = (random: SeededRandom, index: number, registeredAt: Date): DemoPlayer => {
  const platform = random.pick(PLATFORMS);
  const name = `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`;
  return {
    playerUuid: random.uuid(),
    ...(random.chance(0.45) && { playerId: FIRST_LEGACY_ID + index }),
    ...(random.chance(0.85) && { displayName: random.chance(0.3) ? name : `${name} ${index}` }),
    registeredAt,
    platform,
    input: random.pick(INPUTS[platform] ?? ['gamepad']),
  };
};

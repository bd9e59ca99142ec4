// What game backends and matchmaking set on the demo's sessions.
import type { PlatformSessionInput, SessionInput } from '@muster/contract';
import { makeId } from './demo-ids.ts';
import type { DemoSessionPlan } from './demo-session-plans.ts';
import { MAPS } from './demo-session-plans.ts';
import type { SeededRandom } from './seeded-random.ts';

const REGIONS = ['eu-central', 'eu-west', 'us-east', 'us-west', 'ap-northeast', 'sa-east'];

type Details = Pick<
  SessionInput,
  | 'region_id'
  | 'custom_data'
  | 'browser'
  | 'match'
  | 'matchmaking'
  | 'matchmaking_results'
  | 'backfill'
  | 'created_by_matchmaking'
>;

export const createDetails = (random: SeededRandom, plan: DemoSessionPlan): Details => {
  const parts = new Set(plan.with);
  const map = random.pick(MAPS);
  const tickets = Array.from({ length: random.integer(1, 3) }, () => makeId(random, 'ticket'));
  return {
    region_id: random.pick(REGIONS),
    custom_data: { map, difficulty: random.pick(['calm', 'normal', 'hard']) },
    ...(parts.has('browser') && {
      browser: { custom_data: { title: `${map} with friends`, language: random.pick(LANGUAGES) } },
    }),
    ...(parts.has('matchmaking') && {
      matchmaking: { ticket_id: makeId(random, 'ticket'), queue_id: 'ranked-eu' },
    }),
    ...(parts.has('results') && {
      matchmaking_results: {
        match_making_id: makeId(random, 'mm'),
        ticket_ids: tickets,
        tickets_assigned: true,
      },
      created_by_matchmaking: true,
    }),
    ...(parts.has('match') && {
      match: { match_id: makeId(random, 'match'), ticket_ids: tickets },
    }),
    ...(parts.has('backfill') && {
      backfill: {
        backfill_id: makeId(random, 'backfill'),
        extensions: { queue: 'ranked-eu', wanted: 'support' },
      },
    }),
  };
};

const LANGUAGES = ['de', 'en', 'fr', 'ja', 'pt-BR'];

/** One per platform; ids in either alphabet of base64, as clients of different platforms register them. */
export const createPlatformSession = (
  random: SeededRandom,
  platform: PlatformSessionInput['platform'],
): PlatformSessionInput => {
  const id = Buffer.concat([Buffer.from(`${platform}/`), random.bytes(random.pick([16, 21, 32]))]);
  return {
    platform,
    platform_session_type: `${platform.toLowerCase()}-multiplayer`,
    platform_session_id_base64: id.toString(random.chance(0.5) ? 'base64' : 'base64url'),
    ...(random.chance(0.3) && { custom_data: { visibility: 'friends' } }),
  };
};

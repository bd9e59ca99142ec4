// Players who join without a pause while something fails, and each tries until the answer is definite, as a game does. What
// they were told is kept, to be held against the database.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestBed } from './test-bed.ts';
import { authorise, chooseSeat } from './test-bed.ts';

type PlayedJoin = {
  player: string;
  session: string;
  /** `lost` where no answer was definite before the end. */
  outcome: 'seated' | 'refused' | 'lost';
  /** An attempt of it ended without a definite answer: it may have written. */
  wasInDoubt: boolean;
  /** The version of the session that the answer shows. */
  version: number | undefined;
};

/** An answer that is not what the interface promises. */
type Violation = { status: number; body: string };

export type JoinRecord = {
  joins: readonly PlayedJoin[];
  violations: readonly Violation[];
  /** Attempts that were told to come back, and those that got no answer. */
  putOff: number;
  unanswered: number;
  /** With which error codes, how often. */
  putOffWith: Readonly<Record<string, number>>;
  /** Of any attempt, in milliseconds. */
  slowest: number;
  /** When answers 200 came, as by performance.now(). */
  seatedAt: readonly number[];
};

type JoinLoad = {
  /** Of the players so far who know how it ended. */
  count(): number;
  /** Resolves with everything once each player who has begun knows how it ended. */
  stop(): Promise<JoinRecord>;
};

type JoinLoadOptions = {
  testBed: TestBed;
  /** Asked in turn; may change while the load runs, as where a process is replaced. */
  baseUrls: readonly string[];
  /** Signs the credential of a player; with the secret of all tests by default. */
  sign?: typeof authorise;
};

/** A request that takes longer has hung. */
const HUNG_MS = 20_000;
/** How long after the end of the load a player tries on. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 50;
const PLAYERS = 32;

export const startJoinLoad = ({
  testBed,
  baseUrls,
  sign = authorise,
}: JoinLoadOptions): JoinLoad => {
  const joins: PlayedJoin[] = [];
  const violations: Violation[] = [];
  const seatedAt: number[] = [];
  const putOffWith: Record<string, number> = {};
  const counts = { putOff: 0, unanswered: 0, slowest: 0 };
  let count = 0;
  let attempts = 0;
  let stoppedAt: number | undefined;

  const attempt = async (path: string, init: RequestInit): Promise<Response | null> => {
    const startedAt = performance.now();
    attempts += 1;
    const url = `${baseUrls[attempts % baseUrls.length]}${path}`;
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(HUNG_MS) });
      const body = await response.text();
      if (!isPromised(response)) violations.push({ status: response.status, body });
      // The body is read: callers look at the head and at the code.
      return new Response(body, response);
    } catch {
      counts.unanswered += 1;
      return null;
    } finally {
      counts.slowest = Math.max(counts.slowest, performance.now() - startedAt);
    }
  };

  const isOutOfTime = () => stoppedAt !== undefined && performance.now() - stoppedAt > PATIENCE_MS;

  const play = async (): Promise<void> => {
    const player = randomUUID();
    const { session, teamId } = chooseSeat(testBed, count);
    count += 1;
    const path = `/session/v1/platform/Steam/platform-session/${session}/player/${player}`;
    const init = await toRequest(player, teamId, sign);
    let wasInDoubt = false;
    const end = (outcome: PlayedJoin['outcome'], version?: number) =>
      joins.push({ player, session, outcome, wasInDoubt, version });
    while (!isOutOfTime()) {
      const response = await attempt(path, init);
      if (response?.status === 200) {
        seatedAt.push(performance.now());
        end('seated', toVersion(response.headers.get('etag')));
        return;
      }
      const code = response && (await readCode(response));
      if (REFUSALS.has(code ?? '')) {
        end('refused');
        return;
      }
      wasInDoubt = true;
      if (code !== null) {
        counts.putOff += 1;
        putOffWith[code] = (putOffWith[code] ?? 0) + 1;
      }
      await delay(PAUSE_MS);
    }
    end('lost');
  };

  const working = Array.from({ length: PLAYERS }, async () => {
    while (stoppedAt === undefined) await play();
  });
  return {
    count: () => joins.length,
    stop: async () => {
      stoppedAt = performance.now();
      await Promise.all(working);
      return { joins, violations, seatedAt, putOffWith, ...counts };
    },
  };
};

const toRequest = async (
  player: string,
  team_id: number,
  sign: typeof authorise,
): Promise<RequestInit> => ({
  method: 'POST',
  headers: {
    authorization: await sign(player, 'session:update-player:self'),
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    status: 'member',
    client_version: '1.0.0',
    team_id,
    client_settings: { platform: 'Steam', input: 'gamepad' },
    crossplay_preferences: {
      permitted_platform: 'desired_platforms_any',
      permitted_input: 'desired_inputs_any',
    },
  }),
});

const isPromised = ({ status, headers }: Response): boolean =>
  status === 200 || (status === 409 && headers.has('retry-after'));

const REFUSALS = new Set(['team_full', 'session_full']);

/** Of a refusal; otherwise the status. */
const readCode = async (response: Response): Promise<string> => {
  if (response.status !== 409) return String(response.status);
  const { error_code: code } = (await response.json()) as { error_code: string };
  return code;
};

/**
 * What players were put off with because something failed. That many changes met in one session is an answer of its own: it
 * comes where many players enter it through several processes, with and without faults.
 */
export const findFailures = ({ putOffWith }: JoinRecord): readonly string[] =>
  Object.keys(putOffWith).filter((code) => code !== 'session_busy');

const toVersion = (etag: string | null): number => Number(/-(\d+)"$/.exec(etag ?? '')?.[1]);

// Players who join continuously during a fault. Each retries until the response is definite, like a game. The responses
// are kept and compared with the database.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestBed } from './test-bed.ts';
import { authorise, chooseSeat } from './test-bed.ts';

type PlayedJoin = {
  player: string;
  session: string;
  /** `lost` without a definite response before the end. */
  outcome: 'seated' | 'refused' | 'lost';
  /** An attempt ended without a definite response, so it may have written. */
  wasInDoubt: boolean;
  /** The version of the session in the response. */
  version: number | undefined;
};

/** A response that the interface does not allow. */
type Violation = { status: number; body: string };

export type JoinRecord = {
  joins: readonly PlayedJoin[];
  violations: readonly Violation[];
  /** Attempts that were asked to retry, and those without a response. */
  putOff: number;
  unanswered: number;
  /** The number of responses per error code. */
  retryCodes: Readonly<Record<string, number>>;
  /** Of any attempt, in milliseconds. */
  slowest: number;
  /** The times of the 200 responses, as by performance.now(). */
  seatedAt: readonly number[];
};

type JoinLoad = {
  /** The number of players so far with a definite result. */
  count(): number;
  /** Resolves with all results once each started player has one. */
  stop(): Promise<JoinRecord>;
};

type JoinLoadOptions = {
  testBed: TestBed;
  /** Used in turn; may change while the load runs, for example when a process is replaced. */
  baseUrls: readonly string[];
  /** Signs the credential of a player; with the common test secret by default. */
  sign?: typeof authorise;
};

/** A request that takes longer counts as hung. */
const HUNG_MS = 20_000;
/** How long a player retries after the end of the load. */
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
  const retryCodes: Record<string, number> = {};
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
      // The body is read completely; callers check the head and the code.
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
        retryCodes[code] = (retryCodes[code] ?? 0) + 1;
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
      return { joins, violations, seatedAt, retryCodes, ...counts };
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

/** The code of a refusal; otherwise the status. */
const readCode = async (response: Response): Promise<string> => {
  if (response.status !== 409) return String(response.status);
  const { error_code: code } = (await response.json()) as { error_code: string };
  return code;
};

/**
 * Error codes that a fault causes. Two others also occur without faults: `session_busy` when many players join one session through
 * several processes, and `rate_limited` when a player retries without waiting.
 */
export const findFailures = ({ retryCodes }: JoinRecord): readonly string[] =>
  Object.keys(retryCodes).filter((code) => code !== 'session_busy' && code !== 'rate_limited');

/** On a busy machine, a process that has just started takes over 400 ms for its first requests, and rejects those that wait longer. */
const MAX_REJECTED_SHARE = 0.05;

/** Failures while processes start: a few rejected joins are none. */
export const findFailuresAtStart = (record: JoinRecord): readonly string[] => {
  const rejectedShare = (record.retryCodes.service_overloaded ?? 0) / record.joins.length;
  return findFailures(record).filter(
    (code) => code !== 'service_overloaded' || rejectedShare >= MAX_REJECTED_SHARE,
  );
};

const toVersion = (etag: string | null): number => Number(/-(\d+)"$/.exec(etag ?? '')?.[1]);

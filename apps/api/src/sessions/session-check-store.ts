// A look at what tells whether a remembered session is still what is stored: worth a read of it, at a fraction of the cost.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';
import { createBatcher } from '../batching/index.ts';
import type { SessionRow } from './session-rows.ts';
import type { SessionState } from './session-state.ts';
import { CHECK_SESSIONS } from './session-statements.ts';

type CheckRow = Pick<SessionRow, 'session_key' | 'incarnation' | 'version' | 'rules_since'> & {
  somebody_absent: boolean;
  /** UUIDs with spaces in between. */
  strangers: string | null;
};

/**
 * True when the session lives and is stored as it is here, and when the players who have seats in it without a legacy
 * id are registered, and hold none.
 */
export const createSessionCheck = (pool: Database['pool']) => {
  const check = createBatcher(async (questions) => {
    const asked = questions.map((question) => question.split(' '));
    const keys = new Set(asked.map(([key]) => key));
    const players = new Set(asked.flatMap(([, ...unnumbered]) => unnumbered));
    const rows = await runPrepared<CheckRow>(pool, CHECK_SESSIONS, [[...keys], [...players]]);
    const found = new Map(rows.map((row) => [row.session_key, row]));
    return new Map(
      questions.map((question, index) => [question, found.get(asked[index]?.[0] ?? '')]),
    );
  });
  return async (session: SessionState, unnumbered: readonly string[]): Promise<boolean> => {
    const found = await check([session.key, ...unnumbered].join(' '));
    return found !== undefined && isSame(session, found) && !includesAny(found, unnumbered);
  };
};

const isSame = (session: SessionState, found: CheckRow): boolean =>
  session.version === Number(found.version) &&
  session.incarnation === found.incarnation &&
  (session.rules.since?.getTime() ?? null) === toNumber(found.rules_since) &&
  session.absences.size === 0 &&
  !found.somebody_absent;

const includesAny = ({ strangers }: CheckRow, players: readonly string[]): boolean =>
  strangers !== null && players.some((player) => strangers.includes(player));

const toNumber = (value: number | bigint | null): number | null =>
  value === null ? null : Number(value);

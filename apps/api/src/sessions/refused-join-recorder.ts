// Records each refused join with a verified credential, also one that reaches no session, so that people can find why a player could not
// join. The response does not wait for it.
import type { ErrorCode } from '@muster/contract';
import { JOIN_FOR_ANY, permits, toWrittenUuid, Uuid } from '@muster/contract';
import type { Caller } from '../auth/index.ts';
import type { BatchWriterOptions, DropReason } from '../flow/index.ts';
import { createBatchWriter } from '../flow/index.ts';
import { createHourlyCounts, HOUR_MS } from './event-limits.ts';
import type { RefusedJoinRow, RefusedJoinStore } from './refused-join-store.ts';
import { digestPlatformSessionId, NO_PLAYER } from './refused-join-store.ts';
import type { SessionName } from './session.ts';
import { newEventId } from './session.ts';

export type RefusedRequest = {
  caller: Pick<Caller, 'accountId' | 'permissions'>;
  /** The parameters of the path. Those of a 422 may be any text. */
  platform: string;
  platformSessionId: string;
  player: string;
  /** The session that the join reached. */
  session?: SessionName | undefined;
  errorCode: ErrorCode;
  /** What the response says, in one sentence. */
  sentence: string;
  requestId: string;
};

type RefusedJoinRecorderOptions = {
  store: Pick<RefusedJoinStore, 'record' | 'groupOf'>;
  countRecorded: (refusals: number) => void;
  countDropped: (refusals: number, reason: DropReason | 'account_limit') => void;
  onFailure: BatchWriterOptions<RefusedJoinRow>['onFailure'];
  now?: () => Date;
};

/** At most 20 MB with the longest texts. */
const MAX_WAITING = 1_000;
const MAX_BATCH = 200;
/** One statement a second, however many joins are refused. */
const GATHER_MS = 1_000;
/** Refusals that one account may cause for other players in an hour, in each process: a backend can name any number of players. */
export const MAX_PER_ACCOUNT = 2_000;

/** The service did not look at the request: these say nothing about the player. */
const UNRECORDED: ReadonlySet<ErrorCode> = new Set([
  'service_overloaded',
  'service_unavailable',
  'rate_limited',
]);

export type RefusedJoinRecorder = ReturnType<typeof createRefusedJoinRecorder>;

export const createRefusedJoinRecorder = ({
  store,
  countRecorded,
  countDropped,
  onFailure,
  now = () => new Date(),
}: RefusedJoinRecorderOptions) => {
  const countOfAccount = createHourlyCounts();
  const { add, flush } = createBatchWriter<RefusedJoinRow>({
    maxWaiting: MAX_WAITING,
    maxBatch: MAX_BATCH,
    gatherMs: GATHER_MS,
    groupOf: store.groupOf,
    write: store.record,
    countWritten: countRecorded,
    countDropped,
    onFailure,
  });
  return {
    record: (refused: RefusedRequest): void => {
      if (UNRECORDED.has(refused.errorCode)) return;
      const row = toRefusedJoinRow(refused, now());
      const isOwn = row.player_uuid === toWrittenUuid(row.account_id);
      if (!isOwn && countOfAccount(row.refused_at, row.account_id) > MAX_PER_ACCOUNT) {
        countDropped(1, 'account_limit');
      } else {
        add(row);
      }
    },
    flush,
  };
};

export const toRefusedJoinRow = (refused: RefusedRequest, at: Date): RefusedJoinRow => {
  const { caller, platform, platformSessionId, player, session, errorCode } = refused;
  const named = Uuid.safeParse(player).data;
  const playerUuid = findSubject(caller, named);
  return {
    player_uuid: playerUuid,
    hour: new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS),
    refusal_id: newEventId(at),
    refused_at: at,
    account_id: shorten(caller.accountId, 256),
    named_player: named === playerUuid ? null : shorten(player, 64),
    platform: shorten(platform, 64),
    platform_session_id_base64: shorten(platformSessionId, 256),
    platform_session_digest: `\\x${digestPlatformSessionId(platformSessionId)}`,
    type: session?.type ?? null,
    session_id: session?.sessionId ?? null,
    error_code: errorCode,
    sentence: shorten(refused.sentence, 500),
    request_id: refused.requestId,
  };
};

/**
 * If a player sends a join for another player without permission, the entry belongs to the sender: otherwise a client could hide the
 * refused joins of another player among its own. An account that is no player has no list: its entry has no player.
 */
const findSubject = (
  { accountId, permissions }: RefusedRequest['caller'],
  named: string | undefined,
): string => {
  const own = Uuid.safeParse(accountId).data;
  const mayActFor = named !== undefined && (named === own || permits(permissions, JOIN_FOR_ANY));
  return (mayActFor ? named : own) ?? NO_PLAYER;
};

/** PostgreSQL stores neither U+0000 nor lone surrogates, and no page shows control characters. */
const shorten = (text: string, most: number): string => {
  const cut = text.length > most ? `${text.slice(0, most - 1)}…` : text;
  return cut.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
};

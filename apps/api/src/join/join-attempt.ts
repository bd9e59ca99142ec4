// One join on its way through the queue of its session.
import type { ErrorCode, JoinRequest, Platform } from '@muster/contract';
import { resolvePlatform } from '@muster/contract';
import type { Caller } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import { claimLegacyId } from '../players/index.ts';
import type { ChangeResult, SessionChange, SessionState } from '../sessions/index.ts';
import type { JoinCommand } from './join-rules.ts';
import { decideJoin } from './join-rules.ts';
import type { JoiningPlayer } from './joining-player.ts';
import { HELD_BY_ANOTHER } from './joining-player.ts';

export type JoinInput = {
  platform: Platform;
  platformSessionIdBase64: string;
  /** Lower-case UUID. */
  playerUuid: string;
  /** The legacy id of the query; never identity or authorisation. */
  playerId?: number | undefined;
  request: JoinRequest;
  /** Commits with the join, when it changes anything. */
  alsoWrite?: NonNullable<SessionChange['inTransaction']>;
};

type JoinFacts = { isSelf: boolean; digest: string; player: JoiningPlayer };

/** The queue may decide it more than once. */
export class JoinAttempt {
  readonly #caller: Caller;
  readonly #input: JoinInput;
  readonly #facts: JoinFacts;
  constructor(caller: Caller, input: JoinInput, facts: JoinFacts) {
    this.#caller = caller;
    this.#input = input;
    this.#facts = facts;
  }

  toChange(): SessionChange {
    const { playerUuid, request } = this.#input;
    const steps = this.#listSteps(playerUuid);
    return {
      accountId: this.#caller.accountId,
      decide: (session, now) => this.#decide(session, now),
      newcomer: playerUuid,
      stranger: this.#facts.player,
      ...(isArrival(request) && { returning: playerUuid }),
      ...(steps.length > 0 && {
        inTransaction: (before, after) => async (transaction) => {
          for (const step of steps) await step(before, after)(transaction);
        },
      }),
    };
  }

  #listSteps(playerUuid: string): NonNullable<SessionChange['inTransaction']>[] {
    const { alsoWrite } = this.#input;
    const playerId = this.#newPlayerId;
    const claim = playerId === undefined ? [] : [() => claimStep(playerUuid, playerId)];
    return alsoWrite ? [...claim, alsoWrite] : claim;
  }

  /** The session's rules refused it, in contrast to a failure on the way to the session. */
  wasRefused({ code }: ServiceError): boolean {
    return !FAILURES_ON_THE_WAY.has(code);
  }

  describe() {
    const { playerUuid, request } = this.#input;
    return { playerUuid, teamId: request.team_id, accountId: this.#caller.accountId };
  }

  /** A legacy id that the caller may record and that is not recorded yet. */
  get #newPlayerId(): number | undefined {
    const { isSelf, player } = this.#facts;
    return isSelf || player.playerId !== undefined ? undefined : this.#input.playerId;
  }

  #decide(session: SessionState | null, now: Date): ChangeResult | null {
    const { digest } = this.#facts;
    // The route is read before the session: it may have been removed in between.
    if (!session?.platformSessions.some((child) => child.digest === digest)) {
      throw new ServiceError('platform_session_not_found');
    }
    const decision = decideJoin(session, this.#toCommand(), now);
    if (decision.kind === 'unchanged') return null;
    if (decision.kind === 'changed') return decision;
    const { code, desc } = decision.refusal;
    throw new ServiceError(code, desc === undefined ? {} : { desc });
  }

  #toCommand(): JoinCommand {
    const { request, playerUuid } = this.#input;
    return {
      playerUuid,
      isSelf: this.#facts.isSelf,
      status: request.status,
      teamId: request.team_id,
      clientVersion: request.client_version,
      platform: this.#caller.platform ?? resolvePlatform(request.client_settings),
      input: request.client_settings.input,
      crossplay: request.crossplay_preferences,
      customData: request.custom_data,
      playerId: this.#facts.player.playerId ?? this.#newPlayerId,
    };
  }
}

const claimStep =
  (playerUuid: string, playerId: number): ReturnType<NonNullable<SessionChange['inTransaction']>> =>
  async (transaction) => {
    if (await claimLegacyId(transaction, playerUuid, playerId)) return;
    throw new ServiceError('player_not_found', HELD_BY_ANOTHER);
  };

/** Who is invited has not come: only who asks to be seated shows to be there. */
const isArrival = ({ status }: JoinRequest): boolean => status === 'leader' || status === 'member';

const FAILURES_ON_THE_WAY: ReadonlySet<ErrorCode> = new Set([
  'platform_session_not_found',
  'session_busy',
  'service_overloaded',
]);

// The life of one demo session, step by step through the rules that the service itself obeys.
import { ERROR_CATALOGUE } from '@muster/contract';
import type { JoinCommand, JoinRefusal } from '../join/index.ts';
import { decideJoin } from '../join/index.ts';
import type { ChangeResult, SessionEvent, SessionState } from '../sessions/index.ts';

export type DemoEvent = SessionEvent & {
  at: Date;
  accountId: string;
  /** Absent where the event changed nothing. */
  sessionVersion: number | undefined;
};

/** A session with its timeline; each change moves its version and its clock on. */
export class SessionLife {
  session: SessionState;
  readonly events: DemoEvent[];
  #at: Date;

  constructor(session: SessionState, accountId: string) {
    this.session = session;
    this.#at = session.createdAt;
    const created = {
      kind: 'session_created',
      at: this.#at,
      accountId,
      sessionVersion: 1,
    } as const;
    this.events = [created];
  }

  wait(seconds: number): void {
    this.#at = new Date(this.#at.getTime() + Math.round(seconds * 1000));
  }

  /** Errors: those that the rule itself throws; the plans of the demo provoke none. */
  change(accountId: string, rule: (session: SessionState, now: Date) => ChangeResult | null): void {
    const result = rule(this.session, this.#at);
    if (result) this.#commit(accountId, result);
  }

  /** A refused join leaves a line in the timeline and nothing else, as in the service. */
  join(command: JoinCommand): boolean {
    const accountId = command.playerUuid;
    const decision = decideJoin(this.session, command, this.#at);
    if (decision.kind === 'changed') this.#commit(accountId, decision);
    if (decision.kind === 'refused') this.#recordRefusal(command, decision.refusal);
    return decision.kind !== 'refused';
  }

  #commit(accountId: string, { session, events }: ChangeResult): void {
    const sessionVersion = this.session.version + 1;
    this.session = { ...session, version: sessionVersion };
    for (const event of events)
      this.events.push({ ...event, at: this.#at, accountId, sessionVersion });
  }

  #recordRefusal({ playerUuid, teamId }: JoinCommand, { code, desc }: JoinRefusal): void {
    const sentence = desc ?? ERROR_CATALOGUE[code].desc;
    const detail = { error_code: code, desc: sentence, team_id: teamId };
    const who = { playerUuid, accountId: playerUuid };
    const event = { kind: 'join_refused', ...who, detail, sessionVersion: undefined } as const;
    this.events.push({ ...event, at: this.#at });
  }
}

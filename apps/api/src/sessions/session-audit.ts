import type { Actor } from '../audit/index.ts';
import { appendAudit } from '../audit/index.ts';
import { etagOf } from './session-resource.ts';
import type { SessionState } from './session-state.ts';
import type { TransactionStep } from './session-store.ts';

export type SessionAudit = {
  actor: Actor;
  /** The procedure, such as sessions.update. */
  action: string;
  /** What the change was about besides the session, such as a player. */
  about?: Record<string, string>;
};

/** The audit record of one change of a session: who, what, and the ETags before and after. */
export const auditSession =
  (
    { actor, action, about }: SessionAudit,
    before: SessionState | null,
    after: SessionState,
    now: Date,
  ): TransactionStep =>
  (transaction) =>
    appendAudit(
      transaction,
      actor,
      {
        action,
        target: { type: after.type, session_id: after.sessionId, ...about },
        ...(before && { before: { etag: etagOf(before) } }),
        after: { etag: etagOf(after) },
      },
      now,
    );

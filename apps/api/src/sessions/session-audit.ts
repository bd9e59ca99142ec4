// Audit records of changes of sessions.
import type { PlatformSessionInput } from '@muster/contract';
import type { Actor, AuditRow } from '../platform/index.ts';
import { toAuditRow } from '../platform/index.ts';
import type { removePlayer } from './seat-rules.ts';
import type { SessionState } from './session.ts';
import { etagOf } from './session-resource.ts';

/** What a change is about besides its session, such as a player. */
export type AuditSubject = Readonly<Record<string, string>>;

export const toPlayer = (playerUuid: string) => ({ player_uuid: playerUuid });

/** One player by the member of single changes, several ones as a list. */
export const toPlayers = (players: readonly string[]): AuditSubject =>
  players.length === 1 ? toPlayer(players[0] ?? '') : { player_uuids: players.join(',') };

export const toRemoval = ({ playerUuid, preventRejoin }: Parameters<typeof removePlayer>[1]) => ({
  player_uuid: playerUuid,
  ...(preventRejoin && { prevent_rejoin: 'true' }),
});

export const toPlatform = ({ platform }: Pick<PlatformSessionInput, 'platform'>) => ({ platform });

type AuditedChange = {
  actor: Actor;
  action: string;
  about?: AuditSubject | undefined;
  reason?: string | undefined;
};

/** The audit record of one change of a session: actor, target, reason, and the ETags before and after. */
export const auditSession =
  ({ actor, action, about, reason }: AuditedChange) =>
  (before: SessionState | null, after: SessionState, now: Date): AuditRow => {
    const entry = {
      action,
      target: { type: after.type, session_id: after.sessionId, ...about },
      ...(before && { before: { etag: etagOf(before) } }),
      after: { etag: etagOf(after) },
      ...(reason !== undefined && { reason }),
    };
    return toAuditRow(actor, entry, now);
  };

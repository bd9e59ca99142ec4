// The session aggregate: its state and rules, its storage, and the queue that changes go through.

export type { ChangeResult } from './change-result.ts';
export { lowestEventId, newEventId } from './event-id.ts';
export { setInstance } from './instance-changes.ts';
export { listTransitions } from './instance-rules.ts';
export { createSessionState } from './new-session.ts';
export { invitePlayer, removePlayer } from './seat-changes.ts';
export * from './seat-rules.ts';
export { createSessionAbsenceStore } from './session-absence-store.ts';
export { createSessionAdminStore } from './session-admin-store.ts';
export { auditSession } from './session-audit.ts';
export { type DetailChanges, updateSession } from './session-changes.ts';
export { platformSessionDigest, sessionKeyOf } from './session-key.ts';
export {
  createSessionListStore,
  type ListPosition,
  type SessionFilter,
} from './session-list-store.ts';
export { createSessionMemory } from './session-memory.ts';
export type { ListedSession } from './session-queries.ts';
export { SessionQueue } from './session-queue.ts';
export { etagOf, toSessionResource } from './session-resource.ts';
export type { SessionChange } from './session-round.ts';
export { toSeatRecord } from './session-rows.ts';
export { createSessionService, type SessionService } from './session-service.ts';
export * from './session-state.ts';
export { createSessionStore, type SessionStore } from './session-store.ts';
export { createSessionSweepStore, SERVICE_ACCOUNT } from './session-sweep-store.ts';
export { createSessionSweeper } from './session-sweeper.ts';
export type { FoundPlayer } from './session-write.ts';
export { toAnswer } from './shared-resource.ts';
export type { Stranger } from './strangers.ts';

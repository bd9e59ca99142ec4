// The session aggregate: its state and rules, its storage, and the queue that changes go through.

export { createSessionState } from './new-session.ts';
export * from './seat-rules.ts';
export { createSessionAdminStore, type ListPosition } from './session-admin-store.ts';
export {
  type DetailChanges,
  invitePlayer,
  removePlayer,
  setInstance,
  updateSession,
} from './session-changes.ts';
export { platformSessionDigest, sessionKeyOf } from './session-key.ts';
export { type ChangeResult, type SessionChange, SessionQueue } from './session-queue.ts';
export { etagOf, toSessionResource } from './session-resource.ts';
export { toSeatRecord } from './session-rows.ts';
export { createSessionService, type SessionService } from './session-service.ts';
export * from './session-state.ts';
export { createSessionStore, type SessionStore } from './session-store.ts';

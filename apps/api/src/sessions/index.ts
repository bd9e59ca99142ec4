// Sessions: the aggregate and its rules, its storage and cache, and the queue that all changes use.

export { type CompanionRoutes, createCompanionRoutes } from './companion-route.ts';
export { createCompanionService } from './companion-service.ts';
export { limitRefusals, limitUpdates } from './event-limits.ts';
export { createExpiryStore } from './expiry-store.ts';
export {
  createAnswerJoin,
  createJoinRoutes,
  createTryJoin,
  type SimulatedResponse,
  type SimulateRequest,
  type TryJoin,
} from './join-route.ts';
export { decideJoin, type JoinCommand } from './join-rules.ts';
export { createJoinService } from './join-service.ts';
export { createPlayerService, type PlayerService } from './player-service.ts';
export { createPlayerSessionStore } from './player-session-store.ts';
export {
  createPlayerStore,
  type KnownPlayer,
  type ListedPlayer,
  type PlayerEvent,
  type PlayerSeat,
} from './player-store.ts';
export { createRefusalRecorder } from './refusal-store.ts';
export { type RefusedRequest, toRefusedJoinRow } from './refused-join-recorder.ts';
export {
  type ListedRefusedJoin,
  NO_PLAYER,
  RECORD_REFUSED_JOINS,
  type RefusedJoinRow,
  toRecordValues,
} from './refused-join-store.ts';
export { createRefusedJoins, type RefusedJoins } from './refused-joins.ts';
export { invitePlayer, removePlayer } from './seat-rules.ts';
export {
  type ChangeResult,
  findLeader,
  isSeated,
  type ListedSession,
  newEventId,
  platformSessionDigest,
  type SessionEvent,
  type SessionState,
  withoutExpiredSeats,
} from './session.ts';
export { createSessionAdminStore, insertSessions } from './session-admin-store.ts';
export { createSessionCache } from './session-cache.ts';
export {
  createSessionState,
  listTransitions,
  setInstance,
  updateSession,
} from './session-changes.ts';
export {
  createSessionListStore,
  type ListPosition,
  type SessionFilter,
} from './session-list-store.ts';
export { SessionQueue } from './session-queue.ts';
export { etagOf, toSessionResource } from './session-resource.ts';
export {
  createSessionService,
  type SessionService,
} from './session-service.ts';
export { createSessionStore } from './session-store.ts';
export { createSessionSweeper } from './session-sweeper.ts';
export { createSessionTypeService, type SessionTypeService } from './session-types.ts';
export { createSessionWatch } from './session-watch.ts';

export { createAnswerJoin } from './answer-join.ts';
export { createJoinRoutes } from './join-route.ts';
export { decideJoin, type JoinCommand, type JoinRefusal } from './join-rules.ts';
export { createJoinService } from './join-service.ts';
export { limitWaitingJoins } from './limit-waiting-joins.ts';
export { RefusalRecorder } from './refusal-recorder.ts';
export { createRefusalStore } from './refusal-store.ts';
export {
  type AnswerPublicly,
  createTryJoin,
  type PublicAnswer,
  type TryJoin,
} from './try-join.ts';

export { createJoinRoutes } from './join-route.ts';
export { decideJoin, type JoinCommand } from './join-rules.ts';
export { createJoinService } from './join-service.ts';
export { RefusalRecorder } from './refusal-recorder.ts';
export { createRefusalStore } from './refusal-store.ts';

export { createJoinRoutes } from './join-route.ts';
export { decideJoin, type JoinCommand } from './join-rules.ts';
export { createJoinService, type JoinService } from './join-service.ts';
export { type RefusalCounters, RefusalRecorder } from './refusal-recorder.ts';
export { createRefusalStore } from './refusal-store.ts';

// The HTTP edge: requests in, answers out.
export { createEdge } from './admission/create-edge.ts';
export { createAnswerPublicly } from './answer-publicly.ts';
export type { AppOptions, PublicRoutes } from './create-app.ts';
export { createApp, createMetricsApp } from './create-app.ts';
export { toJoinErrorCode } from './error-answer.ts';
export type { HttpServerOptions } from './http-server.ts';
export { createHttpServer } from './http-server.ts';

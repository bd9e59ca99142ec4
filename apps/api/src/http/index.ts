// The HTTP edge: requests in, answers out.
export { createAnswerPublicly } from './answer-publicly.ts';
export type { AppOptions, PublicRoutes } from './create-app.ts';
export { createApp, createMetricsApp } from './create-app.ts';
export { createHttpServer } from './http-server.ts';

// The HTTP edge: requests in, answers out.
export type { AppOptions, PublicRoutes } from './create-app.ts';
export { createApp, createMetricsApp } from './create-app.ts';
export { createHttpServer } from './http-server.ts';

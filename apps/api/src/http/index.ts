// The HTTP front: requests in, responses out.
export { type AppOptions, createApp, createMetricsApp } from './app.ts';
export { createCors } from './cors.ts';
export { toJoinErrorCode } from './error-answers.ts';
export { LIMITS } from './limits.ts';
export { isWebBuilt } from './mounts/web-mount.ts';
export { createProtection } from './protection.ts';
export { createFindRoute, createSimulateRequest } from './public-request.ts';
export { logUnreadable } from './request-log.ts';
export {
  createHttpServer,
  describeListenError,
  type HttpServerOptions,
  type PortSetting,
} from './server.ts';

// The HTTP edge: requests in, answers out.
export { createReportedAdmission } from './admission-report.ts';
export { createAnswerPace } from './answer-pace.ts';
export { type AppOptions, createApp, createMetricsApp } from './app.ts';
export { createCors } from './cors.ts';
export { toJoinErrorCode } from './error-answers.ts';
export { createHistoryShare } from './history-share.ts';
export { createJoinShare } from './join-share.ts';
export { createSimulateRequest } from './public-request.ts';
export { createHttpServer, describeListenError, type PortSetting } from './server.ts';
export { isWebBuilt } from './web-mount.ts';

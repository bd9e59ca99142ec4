// The web app's files and its page, as the build in apps/web left them.
export { createWebHandlers } from './web-handlers.ts';

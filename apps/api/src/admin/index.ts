export { createAdminRouter } from './router.ts';
export type { AdminContext } from './trpc.ts';

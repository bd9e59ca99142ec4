export { type AdminRouter, type AdminServices, createAdminRouter } from './router.ts';
export type { AdminContext } from './trpc.ts';

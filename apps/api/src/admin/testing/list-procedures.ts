// Lists every procedure of the admin router from the router itself, so that tests include new ones automatically.
import type { ListedProcedure } from '../procedures.ts';
import { listProceduresOf } from '../procedures.ts';
import { createAdminRouter } from '../router.ts';

export type { ListedProcedure } from '../procedures.ts';

/** Creating the routers only stores their services, so stand-ins are enough to list the procedures. */
const standIn: unknown = new Proxy(() => {}, { get: () => standIn });

export const createRouterOutline = () =>
  createAdminRouter(standIn as Parameters<typeof createAdminRouter>[0]);

export const listProcedures = (): ListedProcedure[] => listProceduresOf(createRouterOutline());

// Lists every procedure of the admin router from the router itself, so that tests include new ones automatically.
import type { z } from 'zod';
import type { ProcedureMeta } from '../procedure-meta.ts';
import { createAdminRouter } from '../router.ts';

export type ListedProcedure = {
  name: string;
  type: 'query' | 'mutation';
  meta: ProcedureMeta | undefined;
  /** In order: all of them must accept the input. */
  inputs: z.ZodType[];
};

/** Creating the routers only stores their services, so stand-ins are enough to list the procedures. */
const standIn: unknown = new Proxy(() => {}, { get: () => standIn });

export const createRouterOutline = () =>
  createAdminRouter(standIn as Parameters<typeof createAdminRouter>[0]);

export const listProcedures = (): ListedProcedure[] => {
  // At run time this is a flat table by dotted name, which its type does not show.
  const { procedures } = createRouterOutline()._def as unknown as {
    procedures: Record<string, { _def: Omit<ListedProcedure, 'name'> }>;
  };
  return Object.entries(procedures).map(([name, { _def }]) => ({
    name,
    type: _def.type,
    meta: _def.meta,
    inputs: _def.inputs,
  }));
};

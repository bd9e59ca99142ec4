// Every procedure of the admin router, read from the router itself, so that a new one is tested without anybody remembering.
import type { z } from 'zod';
import { createAdminRouter } from '../router.ts';
import type { ProcedureMeta } from '../trpc.ts';

export type ListedProcedure = {
  name: string;
  type: 'query' | 'mutation';
  meta: ProcedureMeta | undefined;
  /** One after the other: all of them have to accept the input. */
  inputs: z.ZodType[];
};

/** The routers only remember their services, so that stand-ins are enough to list the procedures. */
const standIn: unknown = new Proxy(() => {}, { get: () => standIn });

export const listProcedures = (): ListedProcedure[] => {
  const services = standIn as Parameters<typeof createAdminRouter>[0];
  // At run time this is a flat table by dotted name, which its type does not say.
  const { procedures } = createAdminRouter(services)._def as unknown as {
    procedures: Record<string, { _def: Omit<ListedProcedure, 'name'> }>;
  };
  return Object.entries(procedures).map(([name, { _def }]) => ({
    name,
    type: _def.type,
    meta: _def.meta,
    inputs: _def.inputs,
  }));
};

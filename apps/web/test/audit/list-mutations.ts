import { createAdminRouter } from '@muster/api/admin-router';

/** The routers only remember their services, so that stand-ins are enough to list the procedures. */
const standIn: unknown = new Proxy(() => {}, { get: () => standIn });

/** Every procedure of the admin API that is declared as a mutation, such as "items.update". */
export const listMutations = (): string[] => {
  const services = standIn as Parameters<typeof createAdminRouter>[0];
  // At run time this is a flat table by dotted name, which its type does not say.
  const { procedures } = createAdminRouter(services)._def as unknown as {
    procedures: Record<string, { _def: { type: string } }>;
  };
  return Object.keys(procedures).filter((name) => procedures[name]?._def.type === 'mutation');
};

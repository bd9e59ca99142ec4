// The procedures of a router, with what each says about itself.
import type { ErrorCode, RequiredPermission } from '@muster/contract';
import type { AnyRouter } from '@trpc/server';
import type { z } from 'zod';

/** What a procedure requires of its caller; the authorisation test is generated from it. */
export type ProcedureMeta = (
  | { access: 'public' }
  | { access: 'authenticated'; beforePasswordChange?: true }
  | { access: 'person' }
  | { access: 'permitted' | 'sandbox'; anyOf: readonly RequiredPermission[] }
) & {
  /** A mutation that maintenance does not refuse. */
  duringMaintenance?: true;
};

export type ListedProcedure = {
  /** Such as `sessions.create`. */
  name: string;
  type: 'query' | 'mutation';
  meta: ProcedureMeta | undefined;
  /** In order: all of them must accept the input. */
  inputs: z.ZodType[];
};

export const listProceduresOf = (router: AnyRouter): ListedProcedure[] => {
  // At run time this is a flat table by dotted name, which its type does not show.
  const { procedures } = router._def as unknown as {
    procedures: Record<string, { _def: Omit<ListedProcedure, 'name'> }>;
  };
  return Object.entries(procedures).map(([name, { _def }]) => ({
    name,
    type: _def.type,
    meta: _def.meta,
    inputs: _def.inputs,
  }));
};

/** Compares an answer with the reference: `answer` is the result, or the code of the refusal. Throws where they differ. */
export type CheckAnswer = (
  path: string,
  meta: ProcedureMeta | undefined,
  answer: { data: unknown } | { code: ErrorCode },
) => void;

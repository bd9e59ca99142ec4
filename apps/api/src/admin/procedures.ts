// The procedures of a router, with what each says about itself.
import type { ErrorCode, RequiredPermission } from '@muster/contract';
import type { AnyTRPCProcedure, AnyTRPCRouter } from '@trpc/server';
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

// tRPC has no public way to list the procedures of a router or to read their inputs. `_def` is internal, and in the service only
// this file reads it. At run time `procedures` is a flat table by dotted name, which its type does not show.
const tableOf = (router: AnyTRPCRouter): Record<string, AnyTRPCProcedure> => router._def.procedures;

/** In order: all of them must accept the input. */
export const inputsOf = (procedure: AnyTRPCProcedure): z.ZodType[] =>
  procedure._def.inputs as z.ZodType[];

export const hasProcedure = (router: AnyTRPCRouter, name: string): boolean =>
  Object.hasOwn(tableOf(router), name);

export const listProceduresOf = (router: AnyTRPCRouter): ListedProcedure[] =>
  Object.entries(tableOf(router)).map(([name, procedure]) => ({
    name,
    type: procedure._def.type as ListedProcedure['type'],
    meta: procedure._def.meta as ListedProcedure['meta'],
    inputs: inputsOf(procedure),
  }));

/** Compares an answer with the reference: `answer` is the result, or the code of the refusal. Throws where they differ. */
export type CheckAnswer = (
  path: string,
  meta: ProcedureMeta | undefined,
  answer: { data: unknown } | { code: ErrorCode },
) => void;

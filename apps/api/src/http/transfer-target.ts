// What exports and imports read alike: which catalogue the path names, and what the query says.
import type { Permission, ProblemSource } from '@muster/contract';
import { describeIssues, permits, Uuid } from '@muster/contract';
import type { Request, Response } from 'express';
import { z } from 'zod';
import type { AuthenticateAdmin, Caller } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import { decodePercent, findBadQueryEscapes } from './percent-decoding.ts';
import type { RequestLocals } from './request-context.ts';
import { InvalidRequestError } from './request-problems.ts';
import { splitTarget } from './request-target.ts';

const Target = z.object({ sandbox_id: Uuid, kind: z.enum(['item', 'xp']) });
export type Target = { sandboxId: string; kind: 'item' | 'xp' };

/** An integer of a query string: decimal digits. */
export const QueryInteger = z
  .string()
  .regex(/^\d{1,15}$/, 'Must be a non-negative integer')
  .transform(Number);

/** The caller, once it is known and permitted for the sandbox that the path names. */
export const admitTransfer = async (
  request: Request,
  response: Response,
  authenticateAdmin: AuthenticateAdmin,
  anyOf: readonly Permission[],
): Promise<Target & { caller: Caller }> => {
  const caller = await authenticateAdmin(request);
  (response.locals as RequestLocals).caller = caller;
  const [, sandbox_id, kind, ...rest] = request.path.split('/').map(decodePercent);
  if (sandbox_id === undefined || kind === undefined || rest.length > 0) {
    throw new ServiceError('route_not_found');
  }
  const target = parsePart('path', Target, { sandbox_id, kind });
  if (!permits(caller.permissions, anyOf, target.sandbox_id)) {
    throw new ServiceError('insufficient_permissions');
  }
  return { caller, sandboxId: target.sandbox_id, kind: target.kind };
};

/** The query of the request. Throws InvalidRequestError with every problem. */
export const parseQueryPart = <Value>(request: Request, schema: z.ZodType<Value>): Value => {
  const problems = findBadQueryEscapes(splitTarget(request.originalUrl).query);
  if (problems.length > 0) throw new InvalidRequestError(problems);
  return parsePart('query', schema, request.query);
};

const parsePart = <Value>(
  source: ProblemSource,
  schema: z.ZodType<Value>,
  input: unknown,
): Value => {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new InvalidRequestError(describeIssues(source, parsed.error.issues, input));
};

// POST /admin/import/<sandbox>/<kind>: a file of records, as a dry run that shows the plan, or applied.
import { permits, text } from '@muster/contract';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import type { AuthenticateAdmin, Caller } from '../auth/index.ts';
import { ServiceError } from '../errors/service-error.ts';
import type { ImportAnswer, ImportRequest, ImportService } from '../transfer/index.ts';
import { kindOf, MAX_FILE_BYTES, readFile, recordColumns, tooLarge } from '../transfer/index.ts';
import { allowMethods } from './method-not-allowed.ts';
import { named } from './operator-routes.ts';
import { RequestAbortedError } from './read-body.ts';
import type { RequestLocals } from './request-context.ts';
import { InvalidRequestError } from './request-problems.ts';
import type { Target } from './transfer-target.ts';
import { admitTransfer, parseQueryPart, QueryInteger } from './transfer-target.ts';

const IMPORT_PATH = '/admin/import';

const shared = {
  format: z.enum(['ndjson', 'csv']).default('ndjson'),
  delete_missing: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  reason: text(1, 1000).optional(),
  confirm_sandbox_name: text(1, 256).optional(),
};

const ImportQuery = z.preprocess(
  (query) => ({ mode: 'dry_run', ...(query as object) }),
  z.discriminatedUnion('mode', [
    z.object({
      mode: z.literal('dry_run'),
      ...shared,
      expected_head_seq: QueryInteger.optional(),
      operations_from: QueryInteger.optional(),
    }),
    z.object({
      mode: z.literal('apply'),
      ...shared,
      expected_head_seq: QueryInteger,
      plan_digest: z.string().regex(/^[0-9a-f]{64}$/, 'Must be the plan_digest of a dry run'),
    }),
  ]),
);
type ImportQuery = z.output<typeof ImportQuery>;

export type ImportMount = { imports: ImportService; authenticateAdmin: AuthenticateAdmin };

export const mountImport = (app: Express, { imports, authenticateAdmin }: ImportMount): void => {
  app.use(
    IMPORT_PATH,
    named(IMPORT_PATH),
    allowMethods('POST'),
    async (request: Request, response: Response) => {
      const { caller, ...target } = await admitTransfer(request, response, authenticateAdmin, [
        'sandbox:config:edit',
      ]);
      const query = parseQueryPart(request, ImportQuery);
      refuseBody(request);
      const wanted = toRequest(target, query, request);
      const answer =
        query.mode === 'dry_run'
          ? await imports.plan(wanted)
          : await imports.apply(wanted, toApproval(request, response, caller, target, query));
      if (query.mode === 'apply' && answer.error_count > 0) throw toInvalidRequest(answer);
      response.json(answer);
    },
  );
};

const refuseBody = ({ headers }: Request): void => {
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding.trim().toLowerCase() !== 'identity') throw new ServiceError('body_compressed');
  if (Number(headers['content-length'] ?? 0) > MAX_FILE_BYTES) throw tooLarge();
};

const toRequest = (
  { sandboxId, kind }: Target,
  query: ImportQuery,
  request: Request,
): ImportRequest => ({
  sandboxId,
  kind,
  file: readFile(query.format, readBytes(request), recordColumns(kindOf(kind))),
  deleteMissing: query.delete_missing,
  expectedHeadSeq: query.expected_head_seq,
  reason: query.reason,
  operationsFrom: 'operations_from' in query ? query.operations_from : undefined,
});

/**
 * Leaving off early must not destroy the request: its connection carries the answer. The rest of the file is let
 * through unread, since the next request of that connection comes behind it.
 */
async function* readBytes(request: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* request.iterator({ destroyOnReturn: false });
  } catch (error) {
    throw request.complete ? error : new RequestAbortedError();
  } finally {
    request.resume();
  }
}

const toApproval = (
  request: Request,
  response: Response,
  { accountId, permissions }: Caller,
  { sandboxId }: Target,
  query: Extract<ImportQuery, { mode: 'apply' }>,
) => {
  const { requestId } = response.locals as RequestLocals;
  const address = request.ip;
  return {
    actor: { accountId, requestId, ...(address !== undefined && { address }) },
    authority: {
      administers: permits(permissions, ['sandbox:*'], sandboxId),
      confirmedName: query.confirm_sandbox_name,
    },
    planDigest: query.plan_digest,
  };
};

/** Only a dry run answers with what is wrong in its own shape: nothing was asked of it but to look. */
const toInvalidRequest = ({ errors }: ImportAnswer): InvalidRequestError =>
  new InvalidRequestError(
    errors.map(({ row, column, msg }) => ({
      loc: ['body', row, ...(column === undefined ? [] : [column])],
      msg,
      type: 'value_error.import',
    })),
  );

// GET /admin/export/<sandbox>/<kind>: the filtered view as a file, streamed at the pace of the reader.
// POST /admin/import/<sandbox>/<kind>: a file of records, as a dry run, as a draft of a change set, or applied.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Permission, ProblemSource, RecordWhere } from '@muster/contract';
import {
  customIssue,
  DateTimeInput,
  describeIssues,
  permits,
  READ_HISTORY,
  recordWhere,
  text,
  Uuid,
} from '@muster/contract';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import type { AuthenticateAdmin, Caller } from '../../auth/index.ts';
import type {
  ColumnMapping,
  Export,
  ExportRequest,
  ExportService,
  ImportAnswer,
  ImportRequest,
  ImportService,
} from '../../catalogue/index.ts';
import { MAX_FILE_BYTES, mappedColumns, tooLarge } from '../../catalogue/index.ts';
import { encodePaced, stringifyPaced } from '../../flow/index.ts';
import type { Logger } from '../../platform/index.ts';
import { InvalidRequestError, ServiceError } from '../../platform/index.ts';
import { leaseUntilClosed } from '../caller-limiter.ts';
import { logFailure } from '../failure-log.ts';
import { TIMES } from '../limits.ts';
import type { Protection } from '../protection.ts';
import { refuseCompression } from '../read-body.ts';
import {
  decodePercent,
  enterRoute,
  findBadQueryEscapes,
  localsOf,
  READ_METHODS,
  RequestAbortedError,
  signalLeaving,
  splitTarget,
} from '../request.ts';
import { createTransferSlots } from './transfer-slots.ts';

const Target = z
  .object({ sandbox_id: Uuid, kind: z.enum(['item', 'xp']) })
  .transform(({ sandbox_id: sandboxId, kind }) => ({ sandboxId, kind }));
type Target = z.output<typeof Target>;

/** An integer of a query string: decimal digits. */
const QueryInteger = z
  .string()
  .regex(/^\d{1,15}$/, 'Must be a non-negative integer')
  .transform(Number);

/** The caller, once it is known and permitted for the sandbox that the path names. */
const admitTransfer = async (
  request: Request,
  response: Response,
  { authenticateAdmin, protection }: TransferMount,
  anyOf: readonly Permission[],
  isRepeated = false,
): Promise<Target & { caller: Caller }> => {
  const caller = await authenticateAdmin(request);
  localsOf(response).caller = caller;
  if (!isRepeated) leaseUntilClosed(protection.callers.enter(caller), response);
  const [, sandbox_id, kind, ...rest] = request.path.split('/').map(decodePercent);
  if (sandbox_id === undefined || kind === undefined || rest.length > 0) {
    throw new ServiceError('route_not_found');
  }
  const target = parsePart('path', Target, { sandbox_id, kind });
  if (!permits(caller.permissions, anyOf, target.sandboxId)) {
    throw new ServiceError('insufficient_permissions');
  }
  return { caller, ...target };
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

const EXPORT_PATH = '/admin/export';

/** A value written as JSON, which the schema of the kind reads. */
const JsonParameter = z.string().transform((value, context): unknown => {
  try {
    return JSON.parse(value);
  } catch {
    context.issues.push(customIssue(value, 'value_error.json', 'Must be JSON'));
    return z.NEVER;
  }
});

const EXPORT_SHARED = {
  format: z.enum(['ndjson', 'csv']).default('ndjson'),
  name: text(0, 256).optional(),
  as_of: QueryInteger.optional(),
};

const ExportQuery = z.preprocess(
  // The view decides which filters there are.
  (query) => ({ view: 'records', ...(query as object) }),
  z.discriminatedUnion('view', [
    z.object({
      view: z.literal('records'),
      ...EXPORT_SHARED,
      after: Uuid.optional(),
      item_type: text(1, 128).optional(),
      tag: text(1, 128).optional(),
      custom_key: text(1, 128).optional(),
      where: JsonParameter.optional(),
    }),
    z.object({
      view: z.literal('versions'),
      ...EXPORT_SHARED,
      after: QueryInteger.optional(),
      record_id: Uuid.optional(),
      account_id: text(1, 256).optional(),
      operation: z.enum(['insert', 'update', 'delete', 'restore']).optional(),
      transaction_id: Uuid.optional(),
      changed_field: text(1, 64).optional(),
      from: DateTimeInput.optional(),
      to: DateTimeInput.optional(),
    }),
  ]),
);

type TransferMount = {
  authenticateAdmin: AuthenticateAdmin;
  protection: Pick<Protection, 'callers' | 'overload'>;
};
type ExportMount = TransferMount & { exports: ExportService; logger: Logger };

export const mountExport = (app: Express, mount: ExportMount): void => {
  const slots = createTransferSlots('exports', mount.protection.overload);
  app.use(EXPORT_PATH, async (request: Request, response: Response) => {
    enterRoute(request, response, EXPORT_PATH, READ_METHODS);
    const target = await admitTransfer(request, response, mount, READ_HISTORY);
    const query = parseQueryPart(request, ExportQuery);
    const release = slots.take(target.caller);
    try {
      const opened = await mount.exports.open(toExportRequest(target, query));
      setHeaders(response, target, query, opened);
      if (request.method === 'HEAD') response.end();
      else await sendExport(response, opened, mount.logger);
    } finally {
      release();
    }
  });
};

type ExportQuery = z.output<typeof ExportQuery>;

const toExportRequest = ({ sandboxId, kind }: Target, query: ExportQuery): ExportRequest => {
  const { format, as_of: asOf, ...viewed } = query;
  const scope = { sandboxId, kind, format, asOf };
  if (viewed.view === 'records') {
    const { view, name, item_type: itemType, tag, custom_key: customKey, after } = viewed;
    const where = viewed.where === undefined ? undefined : parseWhere(kind, viewed.where);
    return { ...scope, view, filter: { name, itemType, tag, customKey, where }, after };
  }
  const { view, after, ...filter } = viewed;
  return { ...scope, view, filter, after };
};

const parseWhere = (kind: Target['kind'], where: unknown): RecordWhere =>
  parsePart('query', z.object({ where: recordWhere(kind) }), { where }).where;

const setHeaders = (
  response: Response,
  { sandboxId, kind }: Target,
  { view, format }: ExportQuery,
  { asOf, sandboxName, contentType }: Export,
): void => {
  const records = kind === 'item' ? 'items' : 'xp-tables';
  const what = view === 'versions' ? `${records}-history` : records;
  const day = new Date().toISOString().slice(0, 10);
  const name = `${toFileNamePart(sandboxName) || sandboxId}-${what}-${day}.${format}`;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  response.setHeader('Muster-As-Of', String(asOf));
};

/** "Wintér event (EU)" as `winter-event-eu`: safe on every file system. Empty without a Latin letter or digit. */
const toFileNamePart = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 64)
    .replace(/^-|-$/g, '');

/** Reads at most one page ahead. A client that disconnects ends the generator, and with it the queries. */
const sendExport = async (
  response: Response,
  { content }: Export,
  logger: Logger,
): Promise<void> => {
  try {
    await pipeline(Readable.from(content, { highWaterMark: 1 }), response);
  } catch (error) {
    // The response has begun: only cutting it off shows that it is incomplete.
    response.destroy();
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    logFailure(logger, response, 'failed', error);
  }
};

export const IMPORT_PATH = '/admin/import';

const IMPORT_SHARED = {
  format: z.enum(['ndjson', 'csv']).default('ndjson'),
  delete_missing: z
    .enum(['true', 'false'])
    .default('false')
    .transform((value) => value === 'true'),
  columns: z.union([z.literal('auto'), JsonParameter]).optional(),
  title: text(1, 256).optional(),
  reason: text(1, 1000).optional(),
  confirm_sandbox_name: text(1, 256).optional(),
};

const ImportQuery = z.preprocess(
  (query) => ({ mode: 'dry_run', ...(query as object) }),
  z.discriminatedUnion('mode', [
    z.object({
      mode: z.literal('dry_run'),
      ...IMPORT_SHARED,
      expected_head_seq: QueryInteger.optional(),
      errors_from: QueryInteger.optional(),
    }),
    z.object({ mode: z.literal('draft'), ...IMPORT_SHARED }),
    z.object({
      mode: z.literal('apply'),
      ...IMPORT_SHARED,
      expected_head_seq: QueryInteger,
      plan_digest: z.string().regex(/^[0-9a-f]{64}$/, 'Must be the plan_digest of a dry run'),
    }),
  ]),
);
type ImportQuery = z.output<typeof ImportQuery>;

type ImportMount = TransferMount & {
  imports: ImportService;
  /** Throws during maintenance. */
  refuseChanges: () => void;
};

export const mountImport = (app: Express, mount: ImportMount): void => {
  const { imports } = mount;
  const slots = createTransferSlots('imports', mount.protection.overload);
  app.use(IMPORT_PATH, async (request: Request, response: Response) => {
    enterRoute(request, response, IMPORT_PATH, ['POST']);
    const admit = (isRepeated: boolean) =>
      admitTransfer(request, response, mount, ['sandbox:config:edit'], isRepeated);
    const admitted = await admit(false);
    mount.refuseChanges();
    const admittedAt = performance.now();
    const query = parseQueryPart(request, ImportQuery);
    refuseCompression(request);
    if (Number(request.headers['content-length'] ?? 0) > MAX_FILE_BYTES) throw tooLarge();
    const release = slots.take(admitted.caller);
    let upload: Awaited<ReturnType<ImportService['read']>> | undefined;
    try {
      upload = await imports.read(toImportRequest(admitted, query, request));
      const wasSlow = performance.now() - admittedAt > TIMES.slowBody;
      const { caller, ...target } = wasSlow ? await admit(true) : admitted;
      // The file may have taken minutes.
      mount.refuseChanges();
      const from = toCaller(request, response, caller);
      const answer =
        query.mode === 'dry_run'
          ? await imports.plan(upload)
          : query.mode === 'draft'
            ? await imports.draft(upload, from)
            : await imports.apply(upload, { ...from, ...toApproval(caller, target, query) });
      if (query.mode === 'apply' && answer.error_count > 0) throw toInvalidRequest(answer);
      await sendAnswer(response, answer);
    } finally {
      // However it ended, also before its first row was read.
      upload?.file.drop();
      release();
    }
  });
};

const toImportRequest = (
  { sandboxId, kind }: Target,
  query: ImportQuery,
  request: Request,
): ImportRequest => ({
  sandboxId,
  kind,
  format: query.format,
  bytes: readBytes(request),
  deleteMissing: query.delete_missing,
  expectedHeadSeq: query.mode === 'draft' ? undefined : query.expected_head_seq,
  title: query.title,
  reason: query.reason,
  columns: query.columns === undefined ? undefined : parseColumns(kind, query.columns),
  errorsFrom: query.mode === 'dry_run' ? query.errors_from : undefined,
});

const parseColumns = (kind: Target['kind'], columns: unknown): ColumnMapping =>
  columns === 'auto'
    ? columns
    : parsePart('query', z.object({ columns: mappedColumns(kind) }), { columns }).columns;

/**
 * An early end must not destroy the request, whose connection carries the response. The remaining file is discarded, since the next
 * request of the connection follows it.
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

const toCaller = (request: Request, response: Response, { accountId }: Caller) => {
  const { requestId } = localsOf(response);
  const address = request.ip;
  return {
    actor: { accountId, requestId, ...(address !== undefined && { address }) },
    signal: signalLeaving(response),
  };
};

const toApproval = (
  { permissions }: Caller,
  { sandboxId }: Target,
  query: Extract<ImportQuery, { mode: 'apply' }>,
) => ({
  authority: {
    administers: permits(permissions, ['sandbox:*'], sandboxId),
    confirmedName: query.confirm_sandbox_name,
  },
  planDigest: query.plan_digest,
});

/** Its problems are up to 256 KiB of JSON, which are written in pieces. */
const sendAnswer = async (response: Response, answer: ImportAnswer): Promise<void> => {
  const bytes = await encodePaced(await stringifyPaced(answer));
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  response.setHeader('Content-Length', bytes.length);
  response.end(bytes);
};

/** A dry run and a draft succeed when there are problems, and return them in their own shape. */
const toInvalidRequest = ({ errors }: ImportAnswer): InvalidRequestError =>
  new InvalidRequestError(
    errors.map(({ row, column, msg }) => ({
      loc: ['body', row, ...(column === undefined ? [] : [column])],
      msg,
      type: 'value_error.import',
    })),
  );

// GET /admin/export/<sandbox>/<kind>: the filtered view as a file, streamed at the pace of the reader.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DateTimeInput, READ_HISTORY, text, Uuid } from '@muster/contract';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import type { AuthenticateAdmin } from '../auth/index.ts';
import type { Logger } from '../observability/index.ts';
import type { Export, ExportRequest, ExportService } from '../transfer/index.ts';
import { allowMethods } from './method-not-allowed.ts';
import { named } from './operator-routes.ts';
import type { RequestLocals } from './request-context.ts';
import type { Target } from './transfer-target.ts';
import { admitTransfer, parseQueryPart, QueryInteger } from './transfer-target.ts';

const EXPORT_PATH = '/admin/export';

const shared = {
  format: z.enum(['ndjson', 'csv']).default('ndjson'),
  name: text(0, 256).optional(),
  as_of: QueryInteger.optional(),
};

const ExportQuery = z.preprocess(
  // The view decides which filters there are.
  (query) => ({ view: 'records', ...(query as object) }),
  z.discriminatedUnion('view', [
    z.object({ view: z.literal('records'), ...shared, after: Uuid.optional() }),
    z.object({
      view: z.literal('versions'),
      ...shared,
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

export type ExportMount = {
  exports: ExportService;
  authenticateAdmin: AuthenticateAdmin;
  logger: Logger;
};

export const mountExport = (app: Express, mount: ExportMount): void => {
  app.use(
    EXPORT_PATH,
    named(EXPORT_PATH),
    allowMethods('GET', 'HEAD'),
    async (request: Request, response: Response) => {
      const target = await admitTransfer(request, response, mount.authenticateAdmin, READ_HISTORY);
      const query = parseQueryPart(request, ExportQuery);
      const opened = await mount.exports.open(toRequest(target, query));
      setHeaders(response, target, query, opened);
      if (request.method === 'HEAD') response.end();
      else await send(response, opened, mount.logger);
    },
  );
};

type ExportQuery = z.output<typeof ExportQuery>;

const toRequest = ({ sandboxId, kind }: Target, query: ExportQuery): ExportRequest => {
  const { format, name, as_of: asOf } = query;
  const scope = { sandboxId, kind, format, asOf };
  if (query.view === 'records') return { ...scope, view: 'records', name, after: query.after };
  const filter = {
    name,
    recordId: query.record_id,
    accountId: query.account_id,
    operation: query.operation,
    transactionId: query.transaction_id,
    changedField: query.changed_field,
    from: query.from === undefined ? undefined : new Date(query.from),
    to: query.to === undefined ? undefined : new Date(query.to),
  };
  return { ...scope, view: 'versions', filter, after: query.after };
};

const setHeaders = (
  response: Response,
  { sandboxId, kind }: Target,
  { view, format }: ExportQuery,
  { asOf, contentType }: Export,
): void => {
  const name = `${sandboxId}-${kind}-${view}-${asOf}.${format}`;
  response.setHeader('Content-Type', contentType);
  response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  response.setHeader('Muster-As-Of', String(asOf));
};

/** One page ahead of the reader, no more. A reader that leaves ends the generator, and with it the queries. */
const send = async (response: Response, { content }: Export, logger: Logger): Promise<void> => {
  try {
    await pipeline(Readable.from(content, { highWaterMark: 1 }), response);
  } catch (error) {
    // The answer has begun: cutting it off is all that tells the reader that it is not whole.
    response.destroy();
    if ((error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    const { requestId } = response.locals as RequestLocals;
    logger.error({ err: error, requestId }, 'failed');
  }
};

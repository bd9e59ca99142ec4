// The peer *offset*: the history written the usual way, findMany with skip and take, and a count for the total.
import type { Prisma } from '@muster/database';
import { openDatabase } from '@muster/database';
import type { RequestHandler } from 'express';
import express from 'express';
import { z } from 'zod';
import { listen, requireToken } from './serve-joins.ts';

/** Counting ten million rows takes longer than the service would ever wait. */
const PATIENCE_MS = 120_000;

const { prisma } = openDatabase({
  url: process.env.DATABASE_URL ?? '',
  statementTimeoutMs: PATIENCE_MS,
});

const Query = z.object({
  item_ids: z.guid().optional(),
  name: z.string().optional(),
  skip: z.coerce.number().int().min(0).default(0),
  take: z.coerce.number().int().min(1).max(1_000).default(50),
});

const listHistory: RequestHandler = async (request, response) => {
  const { item_ids: recordId, name, skip, take } = Query.parse(request.query);
  const where: Prisma.CatalogueVersionWhereInput = {
    sandboxId: String(request.params.sandbox_id),
    kind: 'item',
    ...(recordId && { recordId }),
    ...(name && { record: { names: { some: { foldedName: { contains: name.toLowerCase() } } } } }),
  };
  const [versions, total] = await Promise.all([
    prisma.catalogueVersion.findMany({ where, orderBy: { seq: 'desc' }, skip, take }),
    prisma.catalogueVersion.count({ where }),
  ]);
  response.json({
    transactions: versions.map((version) => ({
      account_id: version.accountId,
      transaction_id: version.transactionId,
      issued_at: version.issuedAt,
      operation: version.operation,
      version_id: version.versionId,
      version_name: version.versionName,
      version: JSON.parse(version.snapshot),
    })),
    page_meta: { page_size: take, total },
  });
};

const app = express();
app.disable('x-powered-by');
app.get(
  '/v1/history/sandbox/:sandbox_id/item',
  requireToken(process.env.AUTH_JWT_SECRET ?? ''),
  listHistory,
);
listen(app);

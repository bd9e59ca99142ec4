// Reads histories over HTTP, with the contract's validation, like a client of the service.
import type { AddressInfo } from 'node:net';
import { contract } from '@muster/contract';
import { createExpressEndpoints } from '@ts-rest/express';
import type { NextFunction, Request, Response } from 'express';
import express from 'express';
import type { Caller } from '../../auth/permissions.ts';
import { alwaysClosed } from '../../flow/circuit-breaker.ts';
import { ServiceError } from '../../platform/errors.ts';
import type { HistoryRouteOptions } from '../history/history-route.ts';
import { createHistoryRoutes } from '../history/history-route.ts';

type Transaction = {
  account_id: string;
  transaction_id: string;
  issued_at: string;
  operation: string;
  version_id: string;
  version_name: string;
  version: Record<string, unknown>;
};

type HistoryAnswer = {
  status: number;
  /** Set for an error that the HTTP layer would map. */
  code?: string;
  transactions: Transaction[];
  page_meta: { cursor?: string; page_size: number; total: number };
  detail: { loc: unknown[]; type: string }[];
};

type Query = Record<string, string | number | readonly (string | number)[] | undefined>;

export const openHistoryClient = async (
  options: Omit<HistoryRouteOptions, 'breaker'> & { permissions?: readonly string[] | null },
) => {
  const { permissions = ['sandbox:config:view'] } = options;
  const app = express();
  app.use((_request, response, next) => {
    const caller: Caller | null = permissions && { accountId: 'reader-1', permissions };
    response.locals.caller = caller;
    next();
  });
  const { listItemHistory, listXpHistory } = contract;
  const routes = { listItemHistory, listXpHistory };
  createExpressEndpoints(routes, createHistoryRoutes({ ...options, breaker: alwaysClosed }), app, {
    responseValidation: true,
  });
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (error instanceof ServiceError) response.status(403).json({ code: error.code });
    else next(error);
  });
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;

  const get = async (sandboxId: string, query: Query = {}, kind: 'item' | 'xp' = 'item') => {
    const url = new URL(`http://127.0.0.1:${port}/v1/history/sandbox/${sandboxId}/${kind}/`);
    for (const [key, value] of Object.entries(query)) {
      for (const single of [value ?? []].flat()) url.searchParams.append(key, String(single));
    }
    const response = await fetch(url);
    return { status: response.status, ...JSON.parse(await response.text()) } as HistoryAnswer;
  };

  return {
    get,
    /** Reads every page; `between` runs after each one. */
    readAllPages: async (
      sandboxId: string,
      query: Query,
      kind: 'item' | 'xp' = 'item',
      between: () => Promise<unknown> = () => Promise.resolve(),
    ) => {
      const pages: HistoryAnswer[] = [];
      let cursor: string | undefined = '0';
      while (cursor !== undefined) {
        const page: HistoryAnswer = await get(sandboxId, { ...query, cursor }, kind);
        pages.push(page);
        cursor = page.page_meta.cursor;
        await between();
      }
      return pages;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
};

export type HistoryClient = Awaited<ReturnType<typeof openHistoryClient>>;

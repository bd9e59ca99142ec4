// Reads one page of a history as other programs do: with the published client and without the session of the web app.
import type { HistoryPage, ItemTransaction, MusterError, XpTransaction } from '@muster/client';
import { MusterError as AnyMusterError, createMusterClient } from '@muster/client';

export type PublicRequest = {
  /** The base URL of the service. */
  baseUrl: string;
  /** Not needed if the histories are public. */
  token?: string;
  sandbox: string;
  kind: 'item' | 'xp';
  ids: readonly string[];
  legacyIds: readonly number[];
  name?: string;
  sortOrder?: 'asc' | 'desc';
  pageSize?: number;
  /** The cursor of the previous page. */
  cursor?: string;
};

/** The request and the response. */
export type Exchange = {
  method: string;
  url: string;
  /** Absent when no response arrived. */
  status?: number;
  statusText?: string;
  requestId?: string;
  /** The body as received. */
  body?: string;
  durationMs: number;
};

export type PublicAnswer = {
  exchange: Exchange;
  page?: HistoryPage<ItemTransaction> | HistoryPage<XpTransaction>;
  /** The error that the client reports. */
  error?: MusterError;
};

/** Rejects with the abort reason of the signal, and with TypeError for a token that is not valid in a header. */
export const readPublicHistory = async (
  request: PublicRequest,
  signal?: AbortSignal,
): Promise<PublicAnswer> => {
  const { watched, exchange } = watchExchange();
  const client = createMusterClient({
    baseUrl: request.baseUrl,
    token: request.token,
    fetch: watched,
    // The page shows exactly one request and its response.
    retry: { budgetMs: 0 },
  });
  const query = {
    sandbox_id: request.sandbox,
    name: request.name,
    sort_order: request.sortOrder,
    page_size: request.pageSize,
    cursor: request.cursor,
  };
  const { ids, legacyIds } = request;
  const options = { signal };
  try {
    const page =
      request.kind === 'item'
        ? await client.listItemHistory(
            { ...query, item_ids: ids, legacy_item_ids: legacyIds },
            options,
          )
        : await client.listXpHistory({ ...query, xp_ids: ids, legacy_xp_ids: legacyIds }, options);
    return { exchange: exchange(), page };
  } catch (error) {
    if (!(error instanceof AnyMusterError)) throw error;
    return { exchange: exchange(), error };
  }
};

const watchExchange = () => {
  let seen: Exchange = { method: 'GET', url: '', durationMs: 0 };
  const watched = async (url: string, init: RequestInit): Promise<Response> => {
    const begun = performance.now();
    seen = { method: init.method ?? 'GET', url, durationMs: 0 };
    // Without the session cookie, so that the response is the one that other programs receive.
    const response = await fetch(url, { ...init, credentials: 'omit' });
    const body = await response.clone().text();
    const { status, statusText } = response;
    const requestId = response.headers.get('x-request-id') ?? undefined;
    seen = { ...seen, status, statusText, requestId, body, durationMs: performance.now() - begun };
    return response;
  };
  return { watched, exchange: () => seen };
};

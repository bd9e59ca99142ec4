// One page of a history, read as any program reads it: through the published client, without the sign-in of the page.
import type { HistoryPage, ItemTransaction, MusterError, XpTransaction } from '@muster/client';
import { MusterError as AnyMusterError, createMusterClient } from '@muster/client';

export type PublicRequest = {
  /** Where the service is. */
  baseUrl: string;
  /** None where the histories are public. */
  token?: string;
  sandbox: string;
  kind: 'item' | 'xp';
  ids: readonly string[];
  legacyIds: readonly number[];
  name?: string;
  sortOrder?: 'asc' | 'desc';
  pageSize?: number;
  /** Of the page before. */
  cursor?: string;
};

/** What went over the wire. */
export type Exchange = {
  method: string;
  url: string;
  /** Absent when no answer came. */
  status?: number;
  statusText?: string;
  requestId?: string;
  /** As it came. */
  body?: string;
  durationMs: number;
};

export type PublicAnswer = {
  exchange: Exchange;
  page?: HistoryPage<ItemTransaction> | HistoryPage<XpTransaction>;
  /** The refusal as the client reports it. */
  error?: MusterError;
};

/** Rejects with the reason of an aborted signal, and with TypeError for a token that no header can carry. */
export const readPublicHistory = async (
  request: PublicRequest,
  signal?: AbortSignal,
): Promise<PublicAnswer> => {
  const { watched, exchange } = watchExchange();
  const client = createMusterClient({
    baseUrl: request.baseUrl,
    token: request.token,
    fetch: watched,
    // What is shown is one request and its answer.
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
    // A cookie of the sign-in would say nothing about what other programs see.
    const response = await fetch(url, { ...init, credentials: 'omit' });
    const body = await response.clone().text();
    const { status, statusText } = response;
    const requestId = response.headers.get('x-request-id') ?? undefined;
    seen = { ...seen, status, statusText, requestId, body, durationMs: performance.now() - begun };
    return response;
  };
  return { watched, exchange: () => seen };
};

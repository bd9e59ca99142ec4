import type { Connection } from './call-service.ts';
import { callService } from './call-service.ts';
import { encodeQuery, encodeSegment } from './http/build-url.ts';
import type { IsBody } from './http/read-answer.ts';
import type { CallOptions, ItemHistoryRequest, XpHistoryRequest } from './requests.ts';
import { retryHistories } from './retry/retry-rules.ts';
import type { ItemTransaction, PageMeta, XpTransaction } from './wire/history-types.ts';

/** One page of a history; `page_meta.cursor` is absent on the last. */
export type HistoryPage<Transaction> = {
  transactions: Transaction[];
  page_meta: PageMeta;
  requestId: string | null;
};

const listHistory = async <Transaction>(
  connection: Connection,
  kind: 'item' | 'xp',
  { sandbox_id, ...query }: ItemHistoryRequest | XpHistoryRequest,
  options?: CallOptions,
): Promise<HistoryPage<Transaction>> => {
  const path = `/v1/history/sandbox/${encodeSegment('sandbox_id', sandbox_id)}/${kind}/`;
  const { body, requestId } = await callService<Omit<HistoryPage<Transaction>, 'requestId'>>(
    connection,
    {
      method: 'GET',
      target: path + encodeQuery(query),
      isAnswer: isPage,
      retryWhen: () => retryHistories,
    },
    options,
  );
  return { ...body, requestId };
};

const isPage: IsBody = ({ transactions, page_meta }) =>
  Array.isArray(transactions) && typeof page_meta === 'object' && page_meta !== null;

export const listItemHistory = (
  connection: Connection,
  request: ItemHistoryRequest,
  options?: CallOptions,
): Promise<HistoryPage<ItemTransaction>> => listHistory(connection, 'item', request, options);

export const listXpHistory = (
  connection: Connection,
  request: XpHistoryRequest,
  options?: CallOptions,
): Promise<HistoryPage<XpTransaction>> => listHistory(connection, 'xp', request, options);

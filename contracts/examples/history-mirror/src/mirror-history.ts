// Copies a history into a store: newest version first, until one that is there already.
import type { MusterClient } from '@muster/client';
import { ValidationError } from '@muster/client';
import type { HistoryStore, WalkedPage } from './history-store.ts';

export type MirroredHistory = {
  sandbox_id: string;
  kind: 'item' | 'xp';
  /** 1..1000. */
  page_size: number;
};

/** The service does not have the newest version of the mirror: it is another service, or an older backup of it. */
export class ForeignMirrorError extends Error {
  override readonly name = 'ForeignMirrorError';
}

/**
 * Brings the store up to date and answers how many versions that added. May be interrupted at any point and run again, and
 * adds each version once. Throws MusterError, or ForeignMirrorError, which leave the mirror as it was.
 */
export const mirrorHistory = async (
  muster: MusterClient,
  history: MirroredHistory,
  store: HistoryStore,
): Promise<number> => {
  const resumed = await finishEarlierWalk(muster, history, store);
  // A walk does not see what is written after its first page.
  return resumed + (await walk(muster, history, store));
};

const finishEarlierWalk: typeof mirrorHistory = async (muster, history, store) => {
  const page = await store.findLastPage();
  if (page === undefined) return 0;
  if (page.cursor === undefined) return store.finishWalk();
  try {
    return await walk(muster, history, store, page.cursor);
  } catch (error) {
    if (!isCursorRefused(error)) throw error;
    await store.dropWalk();
    return 0;
  }
};

const isCursorRefused = (error: unknown): boolean =>
  error instanceof ValidationError && error.detail.some(({ loc }) => loc.includes('cursor'));

const walk = async (
  muster: MusterClient,
  { kind, ...filters }: MirroredHistory,
  store: HistoryStore,
  cursor?: string,
): Promise<number> => {
  const request = { ...filters, cursor };
  const history =
    kind === 'item'
      ? muster.walkHistory({ kind, ...request })
      : muster.walkHistory({ kind, ...request });
  const known = await store.findNewestVersion();
  for await (const { transactions, page_meta } of history.pages()) {
    const end = transactions.findIndex(({ version_id }) => version_id === known);
    if (end !== -1) {
      await store.savePage({ transactions: transactions.slice(0, end) });
      break;
    }
    if (page_meta.cursor === undefined && known !== undefined) {
      await store.dropWalk();
      throw new ForeignMirrorError(
        `The history does not contain ${known}, the newest version here.`,
      );
    }
    await store.savePage(toPage(transactions, page_meta.cursor));
  }
  return store.finishWalk();
};

const toPage = (
  transactions: WalkedPage['transactions'],
  cursor: string | undefined,
): WalkedPage => ({ transactions, ...(cursor !== undefined && { cursor }) });

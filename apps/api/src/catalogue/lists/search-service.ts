// One search over everything that a caller may view, for the palette of the admin app.
import { permits, READ_HISTORY, Uuid } from '@muster/contract';
import { visibleSandboxes } from '../sandboxes/sandbox-rules.ts';
import type {
  FoundPlayer,
  FoundRecord,
  FoundSession,
  SearchStore,
  SearchTerm,
} from './search-store.ts';

type SearchResult = {
  records: FoundRecord[];
  sessions: FoundSession[];
  players: FoundPlayer[];
};

export type SearchService = {
  /** At most eight of each, the best first, and only those that these permissions may view. */
  find(
    permissions: readonly string[],
    query: string,
    sandboxId: string | undefined,
  ): Promise<SearchResult>;
};

const MAX_OF_EACH = 8;

export const createSearchService = (store: SearchStore): SearchService => ({
  async find(permissions, query, sandboxId) {
    const term = readTerm(query);
    const [records, sessions, players] = await Promise.all([
      findRecords(store, permissions, term, sandboxId),
      permits(permissions, ['session:view']) ? store.findSessions(term, MAX_OF_EACH) : [],
      permits(permissions, ['player:view']) ? store.findPlayers(term, MAX_OF_EACH) : [],
    ]);
    return { records, sessions, players };
  },
});

const findRecords = async (
  store: SearchStore,
  permissions: readonly string[],
  term: SearchTerm,
  sandboxId: string | undefined,
): Promise<FoundRecord[]> => {
  const wanted = await listWanted(store, permissions, sandboxId);
  return wanted.length === 0 ? [] : store.findRecords(term, wanted, MAX_OF_EACH);
};

/** With an explicit sandbox, it may be an archived one. */
const listWanted = async (
  store: SearchStore,
  permissions: readonly string[],
  sandboxId: string | undefined,
): Promise<string[]> => {
  if (sandboxId === undefined) return store.listActiveSandboxIds(visibleSandboxes(permissions));
  const mayView = permits(permissions, READ_HISTORY, sandboxId);
  return mayView && (await store.hasSandbox(sandboxId)) ? [sandboxId] : [];
};

const readTerm = (query: string): SearchTerm => {
  const text = query.trim();
  const integer = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return {
    text,
    uuid: Uuid.safeParse(text).data ?? null,
    integer: Number.isSafeInteger(integer) ? integer : null,
  };
};

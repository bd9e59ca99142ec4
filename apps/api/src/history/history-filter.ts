// The filters of a history in their one normal form, in which equal questions are spelled alike.
import { foldName } from '../catalogue/index.ts';

export type SortOrder = 'asc' | 'desc';

/** Absent filters filter nothing; filters combine with AND, ids within one with OR. Ids are sorted, each once. */
export type HistoryFilter = {
  /** Lower case. Those that are no UUID match nothing. */
  recordIds?: readonly string[];
  legacyIds?: readonly number[];
  /** Contained in any name that the record has ever had; never empty. */
  foldedName?: string;
};

export const normaliseFilter = (filter: {
  recordIds: readonly string[] | undefined;
  legacyIds: readonly number[] | undefined;
  name: string | undefined;
}): HistoryFilter => ({
  ...(filter.recordIds && { recordIds: [...new Set(filter.recordIds)].sort() }),
  ...(filter.legacyIds && {
    legacyIds: [...new Set(filter.legacyIds)].sort((left, right) => left - right),
  }),
  ...(filter.name && { foldedName: foldName(filter.name) }),
});

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isUuid = (id: string): boolean => UUID.test(id);

// Generated from the contract by "npm run generate -w @muster/client"; do not edit.
import type { CustomData } from './session-types.ts';

/** restore: undelete, or return to an older version. */
export type HistoryOperation = 'insert' | 'update' | 'delete' | 'restore';

/** A whole Item as it was at one version. */
export type Item = {
  item_id: string;
  /** Id in an older catalogue. */
  legacy_item_id?: number | undefined;
  /** 1..256 characters. */
  name: string;
  /** At most 4096 characters. */
  description?: string | undefined;
  item_type: ItemType;
  tags: string[];
  /** The Xp table that levels this Item. */
  level_xp_table_id?: string | undefined;
  custom_data: CustomData;
};

/** A page of versions of Items. */
export type ItemHistory = {
  transactions: ItemTransaction[];
  page_meta: PageMeta;
};

/** One version of one Item. */
export type ItemTransaction = {
  /** Who did it. */
  account_id: string;
  /** Groups what one edit changed together. */
  transaction_id: string;
  /** When it was done. */
  issued_at: string;
  operation: HistoryOperation;
  /** Unique for each element. */
  version_id: string;
  /** The record's name at that version. */
  version_name?: string | undefined;
  /** The whole record at that version; for a delete, its last state. */
  version?: Item | undefined;
};

/** The kind of an Item. */
export type ItemType = 'unit' | 'recipe' | 'recipe_with_price_reduction' | 'entitlement';

/** The position of the page in its walk. */
export type PageMeta = {
  /** Continues the walk; absent on the last page. At most 256 characters. */
  cursor?: string | undefined;
  /** The page size in effect. 1..1000. */
  page_size?: number | undefined;
  /** Number of versions that match the filters, fixed at the first page of a walk. */
  total?: number | undefined;
};

/** A whole Xp table as it was at one version. */
export type Xp = {
  xp_id: string;
  /** Id in an older catalogue. */
  legacy_xp_id?: number | undefined;
  /** 1..256 characters. */
  name: string;
  /** At most 4096 characters. */
  description?: string | undefined;
  /** Strictly increasing in level and in xp. */
  xp_thresholds: XpThreshold[];
  custom_data: CustomData;
};

/** A page of versions of Xp tables. */
export type XpHistory = {
  transactions: XpTransaction[];
  page_meta: PageMeta;
};

/** The experience that a level begins at. */
export type XpThreshold = {
  level: number;
  xp: number;
};

/** One version of one Xp table. */
export type XpTransaction = {
  /** Who did it. */
  account_id: string;
  /** Groups what one edit changed together. */
  transaction_id: string;
  /** When it was done. */
  issued_at: string;
  operation: HistoryOperation;
  /** Unique for each element. */
  version_id: string;
  /** The record's name at that version. */
  version_name?: string | undefined;
  /** The whole record at that version; for a delete, its last state. */
  version?: Xp | undefined;
};

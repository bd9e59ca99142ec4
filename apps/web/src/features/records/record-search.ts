import { ItemType } from '@muster/contract';
import { z } from 'zod';
import { tableSearchFields, textParam, wordParam } from '../../ui/url-state.tsx';

export const RecordsSearch = z.object({
  ...tableSearchFields,
  /** Contained in the name. */
  name: textParam,
  /** Deleted records too. */
  deleted: z.literal(true).optional().catch(undefined),
  /** Items only. */
  type: ItemType.optional().catch(undefined),
  /** A whole tag; Items only. */
  tag: textParam,
  /** A whole key of custom data. */
  key: textParam,
});

export const RecordSearch = z.object({
  ...tableSearchFields,
  /** Absent: the form. */
  tab: z.enum(['json', 'history']).optional().catch(undefined),
  /** The version that is open beside the history, by its id. */
  version: wordParam,
});

export const NewRecordSearch = z.object({
  /** As the record page: the form, or its JSON. */
  tab: z.enum(['json']).optional().catch(undefined),
});

/** Both ends by version id. Absent: the current version, and the one before the other end. */
export const CompareRecordSearch = z.object({
  from: wordParam,
  to: wordParam,
});

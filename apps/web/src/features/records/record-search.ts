import { ItemType, recordWhere } from '@muster/contract';
import { z } from 'zod';
import { tableSearchFields, textParam, wordParam } from '../../ui/url-state.tsx';

const recordsSearch = (kind: 'item' | 'xp') =>
  z.object({
    ...tableSearchFields,
    /** Part of the name. */
    name: textParam,
    /** Includes deleted records. */
    deleted: z.literal(true).optional().catch(undefined),
    /** Items only. */
    type: ItemType.optional().catch(undefined),
    /** An exact tag; Items only. */
    tag: textParam,
    /** An exact key of custom data. */
    key: textParam,
    /** The filter by value. */
    where: recordWhere(kind).optional().catch(undefined),
  });

export const ItemsSearch = recordsSearch('item');
export const XpSearch = recordsSearch('xp');
export type RecordsSearch = z.infer<typeof ItemsSearch>;

export const RecordSearch = z.object({
  ...tableSearchFields,
  /** Absent: the form. */
  tab: z.enum(['json', 'history']).optional().catch(undefined),
  /** The id of the version that is open beside the history. */
  version: wordParam,
});

export const NewRecordSearch = z.object({
  /** As on the record page: the form or JSON. */
  tab: z.enum(['json']).optional().catch(undefined),
});

/** Version ids. Absent: the current version, and the version before the other one. */
export const CompareRecordSearch = z.object({
  from: wordParam,
  to: wordParam,
});

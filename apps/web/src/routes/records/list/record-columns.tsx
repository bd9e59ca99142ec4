import { nameField } from '@muster/record-diff';
import type { Column } from '../../../components/data-table/columns.ts';
import { defineColumns } from '../../../components/data-table/columns.ts';
import { CopyableId } from '../../../components/ids/copyable-id.tsx';
import { TimeText } from '../../../components/time/time-text.tsx';
import { nameItemType } from '../../../features/records/item-types.ts';
import type { RecordKind } from '../../../features/records/record-kind.ts';
import { ITEM, readId, XP } from '../../../features/records/record-kind.ts';
import type {
  StoredItem,
  StoredRecord,
  StoredXp,
} from '../../../features/records/record-procedures.ts';
import { RecordName, XpName } from './record-cells.tsx';
import { RecordTags } from './record-tags.tsx';

const nameColumn = (kind: RecordKind): Column<StoredRecord> => ({
  id: 'name',
  header: nameField('name'),
  width: 220,
  grow: true,
  cell: (record) => <RecordName kind={kind} record={record} />,
});

const common = (kind: RecordKind): Column<StoredRecord>[] => [
  {
    id: 'description',
    header: nameField('description'),
    width: 240,
    grow: true,
    isShown: false,
    cell: ({ description }) => description,
  },
  {
    id: 'keys',
    header: nameField('custom_data'),
    width: 160,
    isShown: false,
    cell: ({ custom_data }) => Object.keys(custom_data).join(', '),
  },
  {
    id: 'legacy_id',
    header: nameField(kind.legacyIdField),
    width: 100,
    align: 'end',
    isShown: false,
    cell: (record) => (record as Record<string, unknown>)[kind.legacyIdField] as number | undefined,
  },
  {
    id: 'version',
    header: 'Version',
    width: 90,
    align: 'end',
    isOnPhone: false,
    cell: ({ version }) => version,
    sortValue: ({ version }) => version,
  },
  {
    id: 'updated',
    header: 'Changed',
    width: 145,
    isOnPhone: false,
    cell: ({ updated }) => <TimeText at={updated} />,
    sortValue: ({ updated }) => updated,
  },
  {
    id: 'id',
    header: 'Id',
    width: 120,
    isOnPhone: false,
    cell: (record) => <CopyableId id={readId(kind, record)} label={`${kind.one} id`} short />,
  },
];

const ITEM_COLUMNS: Column<StoredRecord>[] = [
  {
    id: 'item_type',
    header: nameField('item_type'),
    width: 210,
    cell: (record) => nameItemType((record as StoredItem).item_type),
    sortValue: (record) => (record as StoredItem).item_type,
  },
  {
    id: 'tags',
    header: nameField('tags'),
    width: 200,
    grow: true,
    isOnPhone: false,
    cell: (record) => <RecordTags tags={(record as StoredItem).tags} />,
  },
  {
    id: 'levels',
    header: nameField('level_xp_table_id'),
    width: 180,
    isShown: false,
    cell: (record) => <XpName id={(record as StoredItem).level_xp_table_id} />,
  },
];

const thresholdsOf = (record: StoredRecord) => (record as StoredXp).xp_thresholds;

const XP_COLUMNS: Column<StoredRecord>[] = [
  {
    id: 'levels',
    header: nameField('xp_thresholds'),
    width: 90,
    align: 'end',
    cell: (record) => thresholdsOf(record).length,
    sortValue: (record) => thresholdsOf(record).length,
  },
  {
    id: 'top',
    header: 'Highest at',
    width: 130,
    align: 'end',
    isOnPhone: false,
    cell: (record) => formatXp(thresholdsOf(record).at(-1)?.xp),
    sortValue: (record) => thresholdsOf(record).at(-1)?.xp ?? 0,
  },
];

const formatXp = (xp: number | undefined): string =>
  xp === undefined ? '–' : `${xp.toLocaleString('en')} xp`;

export const RECORD_COLUMNS = {
  item: defineColumns([nameColumn(ITEM), ...ITEM_COLUMNS, ...common(ITEM)]),
  xp: defineColumns([nameColumn(XP), ...XP_COLUMNS, ...common(XP)]),
};

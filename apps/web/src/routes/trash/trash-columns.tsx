import { defineColumns } from '../../components/data-table/columns.ts';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import type { RecordKind } from '../../features/records/record-kind.ts';
import { ITEM, readId, XP } from '../../features/records/record-kind.ts';
import { RecordLink } from '../../features/records/record-links.tsx';
import type { StoredRecord } from '../../features/records/record-procedures.ts';
import { useRecordPlace } from '../../features/records/record-queries.ts';
import { Deletion } from './deletion.tsx';

const columnsOf = (kind: RecordKind) =>
  defineColumns<StoredRecord>([
    {
      id: 'name',
      header: 'Name',
      width: 220,
      grow: true,
      cell: (record) => <NameLink kind={kind} record={record} />,
    },
    {
      id: 'deleted',
      header: 'Deleted',
      width: 130,
      cell: ({ updated }) => <TimeText at={updated} />,
    },
    {
      id: 'by',
      header: 'By, and why',
      width: 240,
      grow: true,
      isOnPhone: false,
      cell: ({ version_id }) => <Deletion versionId={version_id} />,
    },
    {
      id: 'id',
      header: 'Id',
      width: 130,
      isOnPhone: false,
      cell: (record) => <CopyableId id={readId(kind, record)} short />,
    },
  ]);

const NameLink = ({ kind, record }: { kind: RecordKind; record: StoredRecord }) => {
  const { sandbox } = useRecordPlace();
  return <RecordLink kind={kind} sandbox={sandbox} id={readId(kind, record)} name={record.name} />;
};

export const TRASH_COLUMNS = { item: columnsOf(ITEM), xp: columnsOf(XP) };

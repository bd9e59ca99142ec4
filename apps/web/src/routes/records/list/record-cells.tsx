import { Tag } from '../../../components/tag/tag.tsx';
import type { RecordKind } from '../../../features/records/record-kind.ts';
import { readId } from '../../../features/records/record-kind.ts';
import { RecordLink } from '../../../features/records/record-links.tsx';
import type { StoredRecord } from '../../../features/records/record-procedures.ts';
import { useRecordPlace } from '../../../features/records/record-queries.ts';
import { useXpName } from '../../../features/records/use-xp-name.ts';

export const RecordName = ({ kind, record }: { kind: RecordKind; record: StoredRecord }) => {
  const { sandbox } = useRecordPlace();
  return (
    <>
      <RecordLink kind={kind} sandbox={sandbox} id={readId(kind, record)} name={record.name} />{' '}
      {record.deleted && <Tag tone="bad">deleted</Tag>}
    </>
  );
};

/** Asked for only while the column is shown. */
export const XpName = ({ id }: { id: string | undefined }) => {
  const { sandbox } = useRecordPlace();
  return useXpName(sandbox, id) || '–';
};

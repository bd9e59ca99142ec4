import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { Tag } from '../../components/tag/tag.tsx';
import type { StoredRecord } from '../../features/records/record-procedures.ts';

/** Beside the heading: whether it is deleted, which version, the id. */
export const RecordMarks = ({ record, id }: { record: StoredRecord; id: string }) => (
  <>
    {record.deleted && <Tag tone="bad">deleted</Tag>}
    <Tag>version {record.version}</Tag>
    <CopyableId id={id} short />
  </>
);

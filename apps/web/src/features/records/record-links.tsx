import type { HistoryOperation } from '@muster/contract';
import { Link } from '@tanstack/react-router';
import { CopyableId } from '../../ui/copyable.tsx';
import type { Tone } from '../../ui/facts.tsx';
import { Tag } from '../../ui/facts.tsx';
import type { RecordKind, StoredRecord } from './record-kind.ts';
import { readId } from './record-kind.ts';

type Place = { kind: RecordKind; sandbox: string };

/** Back to the list, above a page of one record. */
export const ListLink = ({ kind, sandbox }: Place) => (
  <Link to={kind.paths.list} params={{ sandbox }}>
    {kind.many}
  </Link>
);

export const RecordLink = ({ kind, sandbox, id, name }: Place & { id: string; name: string }) => (
  <Link to={kind.paths.record} params={{ sandbox, id }}>
    {name}
  </Link>
);

const LABELS: Record<HistoryOperation, [string, Tone]> = {
  insert: ['created', 'good'],
  update: ['changed', 'info'],
  delete: ['deleted', 'bad'],
  restore: ['restored', 'warn'],
};

export const OperationTag = ({ operation }: { operation: HistoryOperation }) => {
  const [words, tone] = LABELS[operation];
  return <Tag tone={tone}>{words}</Tag>;
};

/** Beside the heading: whether it is deleted, which version, the id. */
export const RecordMarks = ({ record, id }: { record: StoredRecord; id: string }) => (
  <>
    {record.deleted && <Tag tone="bad">deleted</Tag>}
    <Tag>version {record.version}</Tag>
    <CopyableId id={id} short />
  </>
);

type SavedProps = { kind: RecordKind; sandbox: string; record: StoredRecord };

/** Says which version was written, and leads to what it changed. */
export const Saved = ({ kind, sandbox, record }: SavedProps) => (
  <>
    Saved as version {record.version}.{' '}
    <Link
      to={kind.paths.record}
      params={{ sandbox, id: readId(kind, record) }}
      search={{ tab: 'history', version: record.version_id }}
    >
      See what changed
    </Link>
  </>
);

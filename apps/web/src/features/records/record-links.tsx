import type { HistoryOperation } from '@muster/contract';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useSandboxId } from '../../api/sandboxes.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import type { Tone } from '../../ui/facts.tsx';
import { Tag } from '../../ui/facts.tsx';
import { Name } from '../../ui/names.tsx';
import type { RecordKind, StoredRecord } from './record-kind.ts';
import { RECORD_KINDS } from './record-kind.ts';

/** Links back to the list, above the page of a record. */
export const ListLink = ({ kind }: { kind: RecordKind }) => (
  <Link to={kind.paths.list} params={{ sandbox: useSandboxId() }}>
    {kind.many}
  </Link>
);

type RecordLinkProps = {
  kind: RecordKind;
  /** Default: the sandbox of the open page. */
  sandbox?: string;
  id: string;
  name: string;
};

export const RecordLink = ({ kind, sandbox, id, name }: RecordLinkProps) => {
  const open = useSandboxId();
  return (
    <Link to={kind.paths.record} params={{ sandbox: sandbox ?? open, id }}>
      <Name name={name} id={id} />
    </Link>
  );
};

type VersionLinkProps = {
  /** Default: the sandbox of the open page. */
  sandbox?: string;
  version: { kind: RecordKind['kind']; record_id: string; version_id: string };
  children: ReactNode;
};

/** Links to the history of a record with one version open. */
export const VersionLink = ({ sandbox, version, children }: VersionLinkProps) => {
  const open = useSandboxId();
  return (
    <Link
      to={RECORD_KINDS[version.kind].paths.record}
      params={{ sandbox: sandbox ?? open, id: version.record_id }}
      search={{ tab: 'history', version: version.version_id }}
    >
      {children}
    </Link>
  );
};

/** Shows the operation of a version as a coloured tag. */
export const OPERATION_LABELS: Record<HistoryOperation, [string, Tone]> = {
  insert: ['created', 'good'],
  update: ['changed', 'info'],
  delete: ['deleted', 'bad'],
  restore: ['restored', 'warn'],
};

export const OperationTag = ({ operation }: { operation: HistoryOperation }) => {
  const [words, tone] = OPERATION_LABELS[operation];
  return <Tag tone={tone}>{words}</Tag>;
};

/** Shown beside the heading: the deleted state, the version and the id. */
export const RecordMarks = ({ record, id }: { record: StoredRecord; id: string }) => (
  <>
    {record.deleted && <Tag tone="bad">deleted</Tag>}
    <Tag>version {record.version}</Tag>
    <CopyableId id={id} short />
  </>
);

type SavedProps = { kind: RecordKind; sandbox: string; record: StoredRecord };

/** Shows the number of the new version and links to its changes. */
export const Saved = ({ kind, sandbox, record }: SavedProps) => (
  <>
    Saved as version {record.version}.{' '}
    <VersionLink
      sandbox={sandbox}
      version={{ ...record, kind: kind.kind, record_id: kind.idOf(record) }}
    >
      See what changed
    </VersionLink>
  </>
);

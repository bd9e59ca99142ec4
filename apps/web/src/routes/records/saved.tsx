import { Link } from '@tanstack/react-router';
import type { RecordKind } from '../../features/records/record-kind.ts';
import { readId } from '../../features/records/record-kind.ts';
import type { StoredRecord } from '../../features/records/record-procedures.ts';

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

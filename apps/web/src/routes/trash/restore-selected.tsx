import { useState } from 'react';
import { ActionButton } from '../../access/action-button.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { notifyDone } from '../../components/notify.ts';
import type { RecordKind } from '../../features/records/record-kind.ts';
import { readId } from '../../features/records/record-kind.ts';
import type { StoredRecord } from '../../features/records/record-procedures.ts';
import { refreshRecords } from '../../features/records/record-queries.ts';

type RestoreSelectedProps = {
  kind: RecordKind;
  sandbox: string;
  records: readonly StoredRecord[];
  onDone: () => void;
};

/** Brings the selected records back as they were, in one edit. */
export const RestoreSelected = ({ kind, sandbox, records, onDone }: RestoreSelectedProps) => {
  const [isOpen, setOpen] = useState(false);
  const restore = async () => {
    await kind.procedures.bulk({
      sandbox_id: sandbox,
      operations: records.map((record) => ({
        operation: 'restore' as const,
        id: readId(kind, record),
        expected_version: record.version,
      })),
    });
    refreshRecords(kind);
    notifyDone(`${describe(kind, records.length)} restored.`);
    onDone();
  };
  return (
    <>
      <ActionButton
        variant="default"
        reason={records.length === 0 && 'Scroll to the selected records first.'}
        onClick={() => setOpen(true)}
      >
        Restore …
      </ActionButton>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={`Restore ${describe(kind, records.length)}?`}
        action="Restore"
        onConfirm={restore}
      >
        <p>They come back as they were when they were deleted, each as a new version:</p>
        <ul>
          {records.slice(0, 10).map((record) => (
            <li key={readId(kind, record)}>{record.name}</li>
          ))}
          {records.length > 10 && <li>and {records.length - 10} more</li>}
        </ul>
      </ConfirmDialog>
    </>
  );
};

const describe = (kind: RecordKind, count: number): string =>
  `${count} ${count === 1 ? kind.one : kind.many}`;

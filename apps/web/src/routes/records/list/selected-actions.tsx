import { useState } from 'react';
import { ActionButton } from '../../../access/action-button.tsx';
import { useSandbox } from '../../../access/sandboxes.ts';
import type { RecordKind } from '../../../features/records/record-kind.ts';
import type { StoredRecord } from '../../../features/records/record-procedures.ts';
import { BulkEditDialog } from './bulk-edit-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { useSelectedRecords } from './use-selected-records.ts';

type SelectedActionsProps = {
  kind: RecordKind;
  sandbox: string;
  ids: readonly string[];
  /** The rows that the list has read. */
  known: readonly StoredRecord[];
  onDone: () => void;
};

/** What can be done with all selected records at once. Deleted ones among them are left alone. */
export const SelectedActions = (props: SelectedActionsProps) => {
  const { kind, sandbox, ids, known, onDone } = props;
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const selected = useSelectedRecords(kind, sandbox, ids, known);
  const isProtected = useSandbox(sandbox)?.protected === true;
  const reason =
    (selected.error !== null && 'Some of the selected records could not be read.') ||
    (selected.isLoading && 'The selected records are being read.') ||
    (selected.records.length === 0 && 'Only deleted records are selected.');
  const close = () => setOpen(null);
  return (
    <>
      <ActionButton variant="default" reason={reason} onClick={() => setOpen('edit')}>
        Edit …
      </ActionButton>
      <ActionButton
        variant="default"
        reason={reason}
        anyOf={isProtected ? ['sandbox:*'] : ['sandbox:config:edit']}
        sandbox={sandbox}
        onClick={() => setOpen('delete')}
      >
        Delete …
      </ActionButton>
      {open === 'edit' && (
        <BulkEditDialog
          kind={kind}
          sandbox={sandbox}
          records={selected.records}
          onDone={onDone}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <DeleteDialog
          kind={kind}
          sandbox={sandbox}
          records={selected.records}
          onDone={onDone}
          onClose={close}
        />
      )}
    </>
  );
};

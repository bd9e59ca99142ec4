// The actions of a list of records: for the selected ones, or for all that match its filters.
import type { ReactNode } from 'react';
import { useState } from 'react';
import { useSandbox, useSandboxId } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { BulkEditDialog } from './bulk-edit-dialog.tsx';
import { PlannedActionButton } from './planned-action.tsx';
import { DeleteDialog } from './record-dialogs.tsx';
import type { RecordKind, StoredRecord } from './record-kind.ts';
import { useSelectedRecords } from './record-queries.ts';
import type { RecordTarget } from './record-target.ts';

type SelectedActionsProps = {
  kind: RecordKind;
  ids: readonly string[];
  /** The loaded rows. */
  known: readonly StoredRecord[];
  /** Set when all matching records are selected, loaded or not. */
  all: RecordTarget | undefined;
  onDone: () => void;
  /** Further buttons. */
  children: ReactNode;
};

/** Actions for all selected records. Deleted ones are skipped. */
export const SelectedActions = (props: SelectedActionsProps) => {
  const { kind, ids, known, all, onDone, children } = props;
  const sandbox = useSandboxId();
  const [open, setOpen] = useState<'edit' | 'delete' | null>(null);
  const selected = useSelectedRecords(kind, ids, known);
  const isProtected = useSandbox(sandbox)?.protected === true;
  const reason =
    (selected.error !== null && 'Some of the selected records could not be read.') ||
    (selected.isLoading && 'The selected records are being read.') ||
    (selected.records.length === 0 && 'Only deleted records are selected.');
  const target = all ?? { ids: selected.records.map(kind.idOf) };
  const close = () => setOpen(null);
  return (
    <>
      {children}
      <ActionButton variant="default" reason={reason} onClick={() => setOpen('edit')}>
        Edit …
      </ActionButton>
      {all ? (
        <PlannedActionButton kind={kind} target={all} operation="delete" onDone={onDone} />
      ) : (
        <ActionButton
          variant="default"
          reason={reason}
          anyOf={isProtected ? ['sandbox:*'] : ['sandbox:config:edit']}
          sandbox={sandbox}
          onClick={() => setOpen('delete')}
        >
          Delete …
        </ActionButton>
      )}
      {open === 'edit' && (
        <BulkEditDialog
          kind={kind}
          target={target}
          known={all ? known : selected.records}
          onDone={onDone}
          onClose={close}
        />
      )}
      {open === 'delete' && (
        <DeleteDialog kind={kind} records={selected.records} onDone={onDone} onClose={close} />
      )}
    </>
  );
};

type EditAllButtonProps = {
  kind: RecordKind;
  target: RecordTarget;
  known: readonly StoredRecord[];
};

/** Edits everything that matches the filters, without a selection. */
export const EditAllButton = ({ kind, target, known }: EditAllButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  const total = 'ids' in target ? target.ids.length : target.total;
  return (
    <>
      <ActionButton variant="default" onClick={() => setOpen(true)}>
        Edit all{total !== undefined && ` ${total.toLocaleString('en')}`} …
      </ActionButton>
      {isOpen && (
        <BulkEditDialog
          kind={kind}
          target={target}
          known={known}
          onDone={() => {}}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
};

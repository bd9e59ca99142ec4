import { Text } from '@mantine/core';
import { useState } from 'react';
import { useSandbox, useSandboxId } from '../../api/sandboxes.ts';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { ReasonInput } from '../../ui/forms.tsx';
import { Undoable } from '../change-sets/undoable.tsx';
import classes from './record-dialogs.module.css';
import type { RecordKind, StoredRecord } from './record-kind.ts';
import { readFields } from './record-kind.ts';
import { recordKeys } from './record-queries.ts';

type DeleteDialogProps = {
  kind: RecordKind;
  records: readonly StoredRecord[];
  onDone?: () => void;
  onClose: () => void;
};

/** Deletes one or more records in one transaction. */
export const DeleteDialog = ({ kind, records, onDone, onClose }: DeleteDialogProps) => {
  const sandbox = useSandboxId();
  const [reason, setReason] = useState('');
  const [only] = records.length === 1 ? records : [];
  const what = only ? `"${only.name}"` : `${records.length} ${kind.many}`;
  const remove = async (confirmation: { confirm_sandbox_name?: string }) => {
    const places = records.map((record) => {
      return { id: kind.idOf(record), expected_version: record.version };
    });
    const [place] = places;
    const input = { sandbox_id: sandbox, reason: reason.trim() || undefined, ...confirmation };
    const operations = places.map((each) => ({ ...each, operation: 'delete' as const }));
    // Uses `delete` for one record, so that the audit log does not show it as a bulk edit.
    if (only && place) return kind.procedures.delete({ ...input, ...place });
    return kind.procedures.bulk({ ...input, operations });
  };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${what}?`}
      action="Delete"
      isDestructive
      sandbox={useSandbox(sandbox)}
      onConfirm={remove}
      invalidates={recordKeys(kind)}
      done={({ transaction_id }) => (
        <Undoable
          message={`Deleted ${what}. ${only ? 'It is' : 'They are'} in the trash.`}
          sandbox={sandbox}
          transactionId={transaction_id}
        />
      )}
      onDone={onDone}
    >
      <Text mb="sm">
        Games no longer receive {only ? 'it' : 'them'}. The history is kept, and any version can be
        restored.
      </Text>
      {!only && (
        <ul className={classes.names}>
          {records.map((record) => (
            <li key={kind.idOf(record)}>{record.name}</li>
          ))}
        </ul>
      )}
      <ReasonInput value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
};

type RestoreDialogProps = {
  kind: RecordKind;
  stored: StoredRecord;
  /** The version to restore. Without it, a deleted record is restored as it was. */
  version?: { version_id: string; version: number; record: object };
  /** Called with the new version. */
  onRestored?: (record: StoredRecord) => void;
  onClose: () => void;
};

/** Restoring writes a new version, so the history keeps everything. The dialog shows the changes. */
export const RestoreDialog = (props: RestoreDialogProps) => {
  const { kind, stored, version, onRestored, onClose } = props;
  const sandbox = useSandboxId();
  const [reason, setReason] = useState('');
  const id = kind.idOf(stored);
  const before = readFields(kind, stored);
  const legacyId = before[kind.legacyIdField];
  const after = version
    ? {
        ...readFields(kind, version.record),
        ...(legacyId !== undefined && { [kind.legacyIdField]: legacyId }),
      }
    : before;
  const restore = () =>
    kind.procedures.restore({
      sandbox_id: sandbox,
      id,
      expected_version: stored.version,
      reason: reason.trim() || undefined,
      version_id: version?.version_id,
    });
  return (
    <ConfirmDialog
      onClose={onClose}
      title={version ? `Restore version ${version.version}?` : `Restore this ${kind.one}?`}
      action="Restore"
      onConfirm={restore}
      invalidates={recordKeys(kind)}
      done={({ version: written }) => `Restored as version ${written}.`}
      onDone={onRestored}
    >
      <Text mb="sm">
        {stored.deleted && `The ${kind.one} is restored. `}
        This is saved as version {stored.version + 1}; all others stay in the history.
      </Text>
      <DiffView before={before} after={after} />
      <ReasonInput value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
};

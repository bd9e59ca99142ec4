import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useSandbox } from '../../../access/sandboxes.ts';
import { toApiError } from '../../../api/api-error.ts';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { notifyDone } from '../../../components/notify.ts';
import type { RecordKind } from '../../../features/records/record-kind.ts';
import { readId } from '../../../features/records/record-kind.ts';
import type { StoredRecord } from '../../../features/records/record-procedures.ts';
import { refreshRecords } from '../../../features/records/record-queries.ts';
import classes from './bulk.module.css';

type DeleteDialogProps = {
  kind: RecordKind;
  sandbox: string;
  records: readonly StoredRecord[];
  onDone?: () => void;
  onClose: () => void;
};

/** Deletes one record or many, all or none of them. */
export const DeleteDialog = ({ kind, sandbox, records, onDone, onClose }: DeleteDialogProps) => {
  const [reason, setReason] = useState('');
  const [only] = records.length === 1 ? records : [];
  const what = only ? `"${only.name}"` : `${records.length} ${kind.many}`;
  const remove = async (confirmation: { confirm_sandbox_name?: string }) => {
    const places = records.map((record) => {
      return { id: readId(kind, record), expected_version: record.version };
    });
    const [place] = places;
    const input = { sandbox_id: sandbox, reason: reason.trim() || undefined, ...confirmation };
    const operations = places.map((each) => ({ ...each, operation: 'delete' as const }));
    try {
      // One alone is told in the audit trail as what it is, not as an edit of several.
      if (only && place) await kind.procedures.delete({ ...input, ...place });
      else await kind.procedures.bulk({ ...input, operations });
    } catch (error) {
      if (toApiError(error).code === 'record_version_conflict') refreshRecords(kind);
      throw error;
    }
    refreshRecords(kind);
    notifyDone(`Deleted ${what}. The trash has it.`);
    onDone?.();
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Delete ${what}?`}
      action="Delete"
      isDestructive
      sandbox={useSandbox(sandbox)}
      onConfirm={remove}
    >
      <Text mb="sm">
        Games do not get {only ? 'it' : 'them'} any more. The history stays, and any version can be
        restored.
      </Text>
      {!only && (
        <ul className={classes.names}>
          {records.map((record) => (
            <li key={readId(kind, record)}>{record.name}</li>
          ))}
        </ul>
      )}
      <Textarea
        mt="sm"
        label="Reason"
        description="Shown in the history. Optional."
        autosize
        maxRows={5}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
};

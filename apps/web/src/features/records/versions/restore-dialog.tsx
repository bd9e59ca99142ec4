import { Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { DiffView } from '../../../components/diff/diff-view.tsx';
import { notifyDone } from '../../../components/notify.ts';
import type { RecordKind } from '../record-kind.ts';
import { readFields, readId } from '../record-kind.ts';
import type { StoredRecord } from '../record-procedures.ts';
import { keepRecord, recordOptions } from '../record-queries.ts';

type RestoreDialogProps = {
  kind: RecordKind;
  sandbox: string;
  stored: StoredRecord;
  /** Which one to return to; a deleted record without it comes back as it was. */
  version?: { version_id: string; version: number; record: object };
  /** With the version that was written. */
  onRestored?: (record: StoredRecord) => void;
  onClose: () => void;
};

/** Restoring writes a new version: nothing that was saved is lost, and this shows what it will change. */
export const RestoreDialog = (props: RestoreDialogProps) => {
  const { kind, sandbox, stored, version, onRestored, onClose } = props;
  const [reason, setReason] = useState('');
  const id = readId(kind, stored);
  const before = readFields(kind, stored);
  const legacyId = before[kind.legacyIdField];
  const after = version
    ? {
        ...readFields(kind, version.record),
        ...(legacyId !== undefined && { [kind.legacyIdField]: legacyId }),
      }
    : before;
  const restore = async () => {
    const place = { sandbox_id: sandbox, id };
    const edit = { ...place, expected_version: stored.version, reason: reason.trim() || undefined };
    try {
      const record = await kind.procedures.restore({ ...edit, version_id: version?.version_id });
      keepRecord(kind, sandbox, id, record);
      notifyDone(`Restored as version ${record.version}.`);
      onRestored?.(record);
    } catch (error) {
      // The dialog shows what would be changed now, as soon as the newest state is read.
      if (toApiError(error).code === 'record_version_conflict') {
        void queryClient.invalidateQueries(recordOptions(kind, sandbox, id));
      }
      throw error;
    }
  };
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={version ? `Restore version ${version.version}?` : `Restore this ${kind.one}?`}
      action="Restore"
      onConfirm={restore}
    >
      <Text mb="sm">
        {stored.deleted && `The ${kind.one} comes back. `}
        This is saved as version {stored.version + 1}; all others stay in the history.
      </Text>
      <DiffView before={before} after={after} />
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

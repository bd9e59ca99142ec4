import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useState } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import { FormError } from '../../../components/forms/form-error.tsx';
import { notifyDone } from '../../../components/notify.ts';
import type { RecordKind } from '../../../features/records/record-kind.ts';
import { readId } from '../../../features/records/record-kind.ts';
import type { StoredRecord } from '../../../features/records/record-procedures.ts';
import { refreshRecords } from '../../../features/records/record-queries.ts';
import type { PlannedEdit } from './bulk-edit.ts';
import { NO_EDIT, planBulkEdit } from './bulk-edit.ts';
import { BulkEditFields } from './bulk-edit-fields.tsx';
import { BulkPreview } from './bulk-preview.tsx';

type BulkEditDialogProps = {
  kind: RecordKind;
  sandbox: string;
  records: readonly StoredRecord[];
  onDone: () => void;
  onClose: () => void;
};

/** Changes all selected records in one transaction: what is left empty stays as it is in each of them. */
export const BulkEditDialog = (props: BulkEditDialogProps) => {
  const { kind, sandbox, records, onDone, onClose } = props;
  const [edit, setEdit] = useState(NO_EDIT);
  const [reason, setReason] = useState('');
  const deferred = useDeferredValue(edit);
  const planned = useMemo(() => planBulkEdit(kind, records, deferred), [kind, records, deferred]);
  const apply = useMutation({
    mutationFn: (edits: readonly PlannedEdit[]) =>
      kind.procedures.bulk({
        sandbox_id: sandbox,
        reason: reason.trim() || undefined,
        operations: edits.map(({ record, patch }) => ({
          id: readId(kind, record),
          expected_version: record.version,
          operation: 'update',
          patch,
        })),
      }),
    onSuccess: (_, edits) => {
      refreshRecords(kind);
      notifyDone(`Changed ${edits.length} ${edits.length === 1 ? kind.one : kind.many}.`);
      onDone();
      onClose();
    },
    // The preview then shows what is stored now; what was typed stays.
    onError: () => refreshRecords(kind),
  });
  const canApply = planned.length > 0 && planned.every(({ problem }) => !problem);
  return (
    <Modal
      opened
      onClose={onClose}
      size="xl"
      title={`Edit ${records.length} ${records.length === 1 ? kind.one : kind.many}`}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (canApply && !apply.isPending) apply.mutate(planBulkEdit(kind, records, edit));
        }}
      >
        <Stack gap="sm">
          <BulkEditFields kind={kind} records={records} edit={edit} onChange={setEdit} />
          <Textarea
            label="Reason"
            description="Shown in the history of each. Optional."
            autosize
            maxRows={4}
            maxLength={1000}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          <BulkPreview kind={kind} planned={planned} count={records.length} />
          <FormError error={apply.error} fields={[]} />
          {apply.error && <Refused kind={kind} error={apply.error} planned={planned} />}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!canApply} loading={apply.isPending}>
              Change {planned.length} {planned.length === 1 ? kind.one : kind.many}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};

type RefusedProps = { kind: RecordKind; error: unknown; planned: readonly PlannedEdit[] };

/** Nothing was written. Which of them the service minds. */
const Refused = ({ kind, error, planned }: RefusedProps) => {
  const { operation_index: index } = toApiError(error).facts;
  const name = typeof index === 'number' ? planned[index]?.record.name : undefined;
  if (name === undefined) return null;
  return (
    <p>
      It is about the {kind.one} "{name}". None of them was changed; the preview shows what is
      stored now.
    </p>
  );
};

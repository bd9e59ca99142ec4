import { Autocomplete, Select, TagsInput, TextInput } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useDeferredValue, useMemo, useState } from 'react';
import { toApiError } from '../../api/errors.ts';
import { notifyWithLink } from '../../api/notify.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { FormError, ReasonInput } from '../../ui/forms.tsx';
import { Undoable } from '../change-sets/undoable.tsx';
import type { BulkEdit, PlannedEdit } from './bulk-edit.ts';
import { NO_EDIT, planBulkEdit } from './bulk-edit.ts';
import classes from './record-dialogs.module.css';
import type { RecordKind, StoredItem, StoredRecord } from './record-kind.ts';
import { ITEM_TYPES } from './record-kind.ts';
import { recordKeys } from './record-queries.ts';

type BulkEditDialogProps = {
  kind: RecordKind;
  records: readonly StoredRecord[];
  onDone: () => void;
  onClose: () => void;
};

/** Changes all selected records in one transaction. Empty fields are left unchanged. */
export const BulkEditDialog = (props: BulkEditDialogProps) => {
  const { kind, records, onDone, onClose } = props;
  const sandbox = useSandboxId();
  const [edit, setEdit] = useState(NO_EDIT);
  const [reason, setReason] = useState('');
  const deferred = useDeferredValue(edit);
  const planned = useMemo(() => planBulkEdit(kind, records, deferred), [kind, records, deferred]);
  const apply = useMutation({
    mutationFn: async (edits: readonly PlannedEdit[]) => {
      const { transaction_id } = await kind.procedures.bulk({
        sandbox_id: sandbox,
        reason: reason.trim() || undefined,
        operations: edits.map(({ record, patch }) => ({
          id: kind.idOf(record),
          expected_version: record.version,
          operation: 'update',
          patch,
        })),
      });
      const message = `Changed ${edits.length} ${edits.length === 1 ? kind.one : kind.many}.`;
      notifyWithLink(
        <Undoable message={message} sandbox={sandbox} transactionId={transaction_id} />,
      );
      onDone();
      onClose();
    },
    // After a conflict, the preview shows the stored values and the form keeps its input.
    meta: { invalidates: recordKeys(kind), showsFailure: true },
  });
  const canApply = planned.length > 0 && planned.every(({ problem }) => !problem);
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    if (canApply && !apply.isPending) apply.mutate(planBulkEdit(kind, records, edit));
  };
  return (
    <FormDialog
      size="xl"
      title={`Edit ${records.length} ${records.length === 1 ? kind.one : kind.many}`}
      server={{ submit, isSending: apply.isPending, error: null, fields: [] }}
      action={`Change ${planned.length} ${planned.length === 1 ? kind.one : kind.many}`}
      isDisabled={!canApply}
      onClose={onClose}
    >
      <BulkEditFields kind={kind} records={records} edit={edit} onChange={setEdit} />
      <ReasonInput
        description="Shown in the history of each. Optional."
        value={reason}
        onChange={setReason}
      />
      <BulkPreview kind={kind} planned={planned} count={records.length} />
      <FormError error={apply.error} fields={[]} />
      {apply.error && <Refused kind={kind} error={apply.error} planned={planned} />}
    </FormDialog>
  );
};

type RefusedProps = { kind: RecordKind; error: unknown; planned: readonly PlannedEdit[] };

/** The error of a bulk edit, which wrote nothing, with the record that caused it. */
const Refused = ({ kind, error, planned }: RefusedProps) => {
  const { operation_index: index } = toApiError(error).facts;
  const name = typeof index === 'number' ? planned[index]?.record.name : undefined;
  if (name === undefined) return null;
  return (
    <p>
      The problem is in the {kind.one} "{name}". None of them was changed; the preview shows what is
      stored now.
    </p>
  );
};

type BulkEditFieldsProps = {
  kind: RecordKind;
  records: readonly StoredRecord[];
  edit: BulkEdit;
  onChange: (update: (old: BulkEdit) => BulkEdit) => void;
};

const BulkEditFields = ({ kind, records, edit, onChange }: BulkEditFieldsProps) => {
  // Confirming a tag changes two values at once.
  const change = (part: Partial<BulkEdit>) => onChange((old) => ({ ...old, ...part }));
  const keys = [...new Set(records.flatMap(({ custom_data }) => Object.keys(custom_data)))];
  return (
    <>
      <p className="hint">Empty fields are left unchanged.</p>
      {kind.kind === 'item' && <ItemParts records={records} edit={edit} change={change} />}
      <div className={classes.pair}>
        <Autocomplete
          label="Set custom data key"
          placeholder="Key"
          data={keys}
          value={edit.setKey}
          onChange={(setKey) => change({ setKey })}
        />
        <TextInput
          label="to"
          placeholder="Value"
          disabled={edit.setKey === ''}
          value={edit.setValue}
          onChange={(event) => change({ setValue: event.currentTarget.value })}
        />
      </div>
      <Autocomplete
        label="Remove custom data key"
        placeholder="Key"
        data={keys}
        value={edit.removeKey}
        onChange={(removeKey) => change({ removeKey })}
      />
    </>
  );
};

type ItemPartsProps = Pick<BulkEditFieldsProps, 'records' | 'edit'> & {
  change: (part: Partial<BulkEdit>) => void;
};

const ItemParts = ({ records, edit, change }: ItemPartsProps) => {
  const tags = [...new Set((records as readonly StoredItem[]).flatMap((item) => item.tags))];
  const isDuplicate = (tag: string, chosen: string[]) => chosen.includes(tag);
  return (
    <>
      <Select
        label={nameField('item_type')}
        placeholder="Leave unchanged"
        clearable
        clearButtonProps={{ 'aria-label': 'Leave the item type unchanged' }}
        data={[...ITEM_TYPES]}
        value={edit.itemType}
        onChange={(itemType) => change({ itemType })}
      />
      <div className={classes.pair}>
        <TagsInput
          label="Add tags"
          value={edit.addTags}
          isDuplicate={isDuplicate}
          onChange={(addTags) => change({ addTags })}
          searchValue={edit.addTyped}
          onSearchChange={(addTyped) => change({ addTyped })}
        />
        <TagsInput
          label="Remove tags"
          data={tags}
          value={edit.removeTags}
          isDuplicate={isDuplicate}
          onChange={(removeTags) => change({ removeTags })}
          searchValue={edit.removeTyped}
          onSearchChange={(removeTyped) => change({ removeTyped })}
        />
      </div>
    </>
  );
};

type BulkPreviewProps = { kind: RecordKind; planned: readonly PlannedEdit[]; count: number };

/** More rows would slow down typing. */
const MAX_SHOWN = 20;

const BulkPreview = ({ kind, planned, count }: BulkPreviewProps) => {
  const refused = planned.filter(({ problem }) => problem);
  const shown = [...refused, ...planned.filter(({ problem }) => !problem)].slice(0, MAX_SHOWN);
  return (
    <section aria-label="What will change">
      <p className="hint" aria-live="polite">
        {planned.length === 0
          ? 'Nothing changes yet.'
          : `${planned.length} of ${count} ${count === 1 ? kind.one : kind.many} will change.`}
        {planned.length > shown.length && ` The first ${shown.length}:`}
      </p>
      {shown.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling content must be reachable by keyboard.
        <section className={classes.preview} tabIndex={0} aria-label="Preview">
          {shown.map(({ record, before, after, problem }) => (
            <div className={classes.record} key={kind.idOf(record)}>
              <h3>{record.name}</h3>
              {problem && <p role="alert">{problem}</p>}
              <DiffView before={before} after={after} />
            </div>
          ))}
        </section>
      )}
    </section>
  );
};

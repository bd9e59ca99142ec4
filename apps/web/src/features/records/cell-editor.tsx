// The form over a cell of a list. It saves one field with the version that the list has shown.
import {
  Button,
  Group,
  NativeSelect,
  Paper,
  Stack,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { SchemaField } from '@muster/contract';
import { useMutation } from '@tanstack/react-query';
import type { KeyboardEvent, RefObject } from 'react';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { readWaiting, toApiError } from '../../api/errors.ts';
import { notifyDone } from '../../api/notify.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { FormError, submitBy, UnsavedGuard } from '../../ui/forms.tsx';
import { SchemaInput } from '../schemas/schema-input.tsx';
import type { ValueNote } from '../schemas/value-note.ts';
import { describeValue } from '../schemas/value-note.ts';
import type { CellField, CellValue } from './cell-fields.ts';
import { isSameCell, readCell, toCellPatch } from './cell-fields.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { toPatch } from './draft.ts';
import classes from './record-columns.module.css';
import type { RecordFields, RecordKind, StoredRecord } from './record-kind.ts';
import { ITEM_TYPES, readFields } from './record-kind.ts';
import { recordKeys } from './record-queries.ts';

type CellEditorProps = {
  kind: RecordKind;
  /** As the list shows it. */
  record: StoredRecord;
  field: CellField;
  cell: HTMLElement;
  /** Of a key of custom data that the schema of the Item has. */
  schemaField: SchemaField | undefined;
  /** Replaces the stored value at the start. */
  pasted?: CellValue | undefined;
  /** Receives the form. It has the attribute `data-unsaved` while a change is not saved. */
  form: RefObject<HTMLFormElement | null>;
  onClose: () => void;
};

type Edit = { base: StoredRecord; patch: RecordFields };

export const CellEditor = (props: CellEditorProps) => {
  const { kind, record, field, cell, schemaField, pasted, form, onClose } = props;
  const sandbox_id = useSandboxId();
  const stored = readCell(record, field);
  const [value, setValue] = useState(pasted ?? stored);
  const [typedTag, setTypedTag] = useState('');
  const [reason, setReason] = useState<string | null>(null);
  const [readError, setReadError] = useState<unknown>(null);
  const [theirs, setTheirs] = useState<StoredRecord | null>(null);
  const id = kind.idOf(record);
  const typed = withTag(value, typedTag);
  const isChanged = !isSameCell(typed, stored);
  const name = schemaField?.label ?? field.label;
  const note: ValueNote =
    schemaField && typeof value === 'string'
      ? describeValue(schemaField, value, record.custom_data)
      : {};
  const saving = useMutation({
    mutationFn: ({ base, patch }: Edit) =>
      kind.procedures.update({
        sandbox_id,
        id,
        expected_version: base.version,
        reason: reason?.trim() || undefined,
        patch,
      }),
    meta: { invalidates: recordKeys(kind), showsFailure: true },
    onSuccess: () => {
      notifyDone(`Saved ${name} of "${record.name}".`);
    },
    onError: async (error) => {
      if (!isConflict(error)) return;
      try {
        setTheirs(await kind.procedures.get({ sandbox_id, id }));
      } catch (failure) {
        setReadError(failure);
      }
    },
  });
  const send = (edit: Edit) => {
    setReadError(null);
    // Not called when the editor of another cell has taken the place of this one.
    saving.mutate(edit, { onSuccess: onClose });
  };
  // The change is in review, so nothing is left to save.
  const isWaiting = saving.error !== null && readWaiting(toApiError(saving.error)) !== undefined;
  const save = () => {
    if (saving.isPending || isWaiting) return;
    if (note.error !== undefined) focusInput(form.current);
    else if (isChanged) send({ base: record, patch: toCellPatch(record, field, typed) });
    else onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    // Enter also presses buttons, and confirms a tag.
    else if (event.target instanceof HTMLButtonElement || typedTag.trim() !== '') return;
    else save();
    event.preventDefault();
    event.stopPropagation();
  };
  const isUnsaved = isChanged && !saving.isSuccess && !isWaiting;
  usePlacedForm(form, cell, () => isUnsaved || onClose());
  const error = isConflict(saving.error) ? readError : saving.error;
  const label = `${name} of ${record.name}`;
  return createPortal(
    // A form cannot have the role.
    <div role="dialog" aria-label={`Edit ${label}`} style={{ display: 'contents' }}>
      <Paper
        component="form"
        ref={form}
        className={classes.editor}
        data-unsaved={isUnsaved || undefined}
        shadow="md"
        withBorder
        noValidate
        onSubmit={submitBy(save)}
        onKeyDown={onKeyDown}
      >
        <Stack gap="xs">
          <CellInput
            field={field}
            schemaField={schemaField}
            note={note}
            label={label}
            value={value}
            onChange={setValue}
            typedTag={typedTag}
            onTypeTag={setTypedTag}
          />
          {reason !== null && (
            <TextInput
              label="Reason"
              maxLength={1000}
              value={reason}
              autoFocus
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
          <FormError error={error} fields={[]} />
          <Group gap="xs" justify="flex-end">
            {reason === null && !isWaiting && (
              <Button variant="subtle" color="gray" me="auto" onClick={() => setReason('')}>
                Add a reason
              </Button>
            )}
            <Button variant="default" onClick={onClose}>
              {isWaiting ? 'Close' : 'Cancel'}
            </Button>
            {!isWaiting && (
              <Button type="submit" loading={saving.isPending}>
                Save
              </Button>
            )}
          </Group>
        </Stack>
      </Paper>
      <UnsavedGuard isUnsaved={isUnsaved} />
      {theirs && (
        <ConflictDialog
          base={readFields(kind, record)}
          theirs={readFields(kind, theirs)}
          mine={withoutNulls({
            ...readFields(kind, record),
            ...toCellPatch(record, field, typed),
          })}
          onClose={() => setTheirs(null)}
          onResolve={(merged) => {
            setTheirs(null);
            const patch = toPatch(kind, readFields(kind, theirs), merged as RecordFields);
            if (Object.keys(patch).length > 0) send({ base: theirs, patch });
            else onClose();
          }}
        />
      )}
    </div>,
    document.body,
  );
};

const isConflict = (error: unknown): boolean =>
  error !== null && toApiError(error).code === 'record_version_conflict';

/** A tag that is typed but not confirmed with Enter yet. */
const withTag = (value: CellValue, typed: string): CellValue => {
  const tag = typed.trim();
  return typeof value === 'string' || tag === '' || value.includes(tag) ? value : [...value, tag];
};

const withoutNulls = (fields: RecordFields): RecordFields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

type CellInputProps = {
  field: CellField;
  schemaField: SchemaField | undefined;
  note: ValueNote;
  label: string;
  value: CellValue;
  onChange: (value: CellValue) => void;
  typedTag: string;
  onTypeTag: (typed: string) => void;
};

const MAX_LENGTHS = { name: 256, description: 4096, custom_data: 4096 } as const;

const CellInput = (props: CellInputProps) => {
  const { field, schemaField, note, label, value, onChange, typedTag, onTypeTag } = props;
  if (typeof value !== 'string') {
    return (
      <TagsInput
        aria-label={label}
        value={[...value]}
        onChange={onChange}
        searchValue={typedTag}
        onSearchChange={onTypeTag}
        isDuplicate={(tag, chosen) => chosen.includes(tag)}
      />
    );
  }
  if (schemaField) {
    return (
      <SchemaInput
        field={schemaField}
        aria-label={label}
        value={value}
        note={note}
        onChange={onChange}
      />
    );
  }
  if (field.name === 'item_type') {
    return (
      <NativeSelect
        aria-label={label}
        data={ITEM_TYPES}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  const input = {
    'aria-label': label,
    maxLength: MAX_LENGTHS[field.name as keyof typeof MAX_LENGTHS],
    autoComplete: 'off',
    value,
  };
  return field.name === 'description' ? (
    <Textarea
      {...input}
      autosize
      maxRows={8}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  ) : (
    <TextInput
      {...input}
      description={field.name === 'custom_data' ? 'An empty text removes the key.' : undefined}
      inputWrapperOrder={['input', 'description', 'error']}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
};

/** Places the form over its cell, focuses its input, and calls back on a click elsewhere. */
const usePlacedForm = (
  form: RefObject<HTMLFormElement | null>,
  cell: HTMLElement,
  onLeave: () => void,
): void => {
  useEffect(() => {
    const place = () => {
      const element = form.current;
      if (!element || !cell.isConnected) return;
      const { left, top, width } = cell.getBoundingClientRect();
      element.style.width = `${Math.max(MIN_WIDTH, width)}px`;
      const { offsetWidth, offsetHeight } = element;
      element.style.left = `${Math.max(0, Math.min(left, window.innerWidth - offsetWidth - 8))}px`;
      element.style.top = `${Math.max(0, Math.min(top, window.innerHeight - offsetHeight - 8))}px`;
    };
    place();
    const sizes = new ResizeObserver(place);
    if (form.current) sizes.observe(form.current);
    window.addEventListener('scroll', place, true);
    window.addEventListener('resize', place);
    return () => {
      sizes.disconnect();
      window.removeEventListener('scroll', place, true);
      window.removeEventListener('resize', place);
    };
  }, [form, cell]);
  useEffect(() => {
    const input = focusInput(form.current);
    if (input && 'select' in input) input.select();
  }, [form]);
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      const isElsewhere = !(target as Element).closest('[role="dialog"], [data-portal]');
      if (isElsewhere) onLeave();
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  });
};

export const focusInput = (form: HTMLFormElement | null) => {
  const input = form?.querySelector<HTMLInputElement>('input, select, textarea');
  input?.focus();
  return input;
};

/** Pixels: wide enough for its buttons in one line. */
const MIN_WIDTH = 320;

// The fields of one change of many records: the field, the operation, and what the operation needs.
import { ActionIcon, Autocomplete, Box, Select, TagsInput, TextInput } from '@mantine/core';
import type { SchemaField } from '@muster/contract';
import { Icon } from '../../ui/icons.tsx';
import { filterSuggestions } from '../../ui/suggestions.ts';
import { SchemaInput } from '../schemas/schema-input.tsx';
import classes from './record-dialogs.module.css';
import type { EditDraft, EditOperation } from './record-edits.ts';
import {
  describeDraft,
  fieldChoices,
  isArithmetic,
  OPERATION_LABELS,
  ROUNDINGS,
} from './record-edits.ts';
import type { RecordKind, StoredItem, StoredRecord } from './record-kind.ts';
import { ITEM_TYPES } from './record-kind.ts';

type EditFieldsProps = {
  kind: RecordKind;
  known: readonly StoredRecord[];
  /** Keys of the schemas of the known records. */
  schemaKeys: readonly string[];
  /** Of the key that the draft changes. */
  schemaField: SchemaField | undefined;
  draft: EditDraft;
  hasFocus: boolean;
  problem: { input: 'field' | 'value' | 'find'; text: string } | undefined;
  onChange: (part: Partial<EditDraft>) => void;
  onRemove: (() => void) | undefined;
};

const MAX_SUGGESTED = 100;

const suggest = (values: readonly string[]): string[] =>
  [...new Set(values)].toSorted().slice(0, MAX_SUGGESTED);

export const EditFields = (props: EditFieldsProps) => {
  const { kind, known, schemaKeys, schemaField, draft, hasFocus, problem, onChange, onRemove } =
    props;
  const { operations, op } = describeDraft(kind, draft, known, schemaField);
  const errorAt = (input: string) => (problem?.input === input ? problem.text : undefined);
  const fields = fieldChoices(kind);
  const knownKeys = known.flatMap(({ custom_data }) => Object.keys(custom_data));
  const keys = suggest([...schemaKeys, ...knownKeys]);
  const others = keys.filter((key) => !fields.includes(key));
  return (
    <Box className={classes.edit} role="group" aria-label="Change">
      <Autocomplete
        data-autofocus={hasFocus || undefined}
        label="Field or custom data key"
        maxLength={140}
        data={[
          { group: 'Fields', items: fields },
          ...(others.length > 0 ? [{ group: 'Custom data', items: others }] : []),
        ]}
        filter={filterSuggestions}
        // The list itself scrolls, so that screen readers know it as a part of the input.
        withScrollArea={false}
        styles={{ options: { maxHeight: 260, overflowY: 'auto' } }}
        value={draft.field}
        error={errorAt('field')}
        onChange={(field) => onChange({ field })}
      />
      <Select
        label="Change"
        data={operations.map((value) => ({ value, label: OPERATION_LABELS[value] }))}
        allowDeselect={false}
        disabled={draft.field.trim() === ''}
        value={op}
        onChange={(next) => onChange({ op: next as EditOperation | null })}
      />
      <EditValue {...props} errorAt={errorAt} />
      {onRemove && (
        <ActionIcon
          className={classes.remove}
          variant="subtle"
          color="gray"
          aria-label="Remove this change"
          onClick={onRemove}
        >
          <Icon name="x" size={15} />
        </ActionIcon>
      )}
    </Box>
  );
};

type EditValueProps = Pick<
  EditFieldsProps,
  'kind' | 'known' | 'schemaField' | 'draft' | 'onChange'
> & {
  errorAt: (input: string) => string | undefined;
};

const VALUE_LABELS: Partial<Record<EditOperation, string>> = {
  add_percent: 'Percent',
  add: 'Number',
  multiply: 'Factor',
  replace_text: 'Replace with',
};

const EditValue = (props: EditValueProps) => {
  const { kind, known, schemaField, draft, onChange, errorAt } = props;
  const { field, op, rounding } = describeDraft(kind, draft, known, schemaField);
  if (op === 'clear') return null;
  if (op === 'append_tags' || op === 'remove_tags') {
    return (
      <TagsInput
        label="Tags"
        data={suggest((known as readonly StoredItem[]).flatMap(({ tags }) => tags))}
        value={draft.tags}
        error={errorAt('value')}
        isDuplicate={(tag, chosen) => chosen.includes(tag)}
        onChange={(tags) => onChange({ tags, typedTag: '' })}
        searchValue={draft.typedTag}
        onSearchChange={(typedTag) => onChange({ typedTag })}
      />
    );
  }
  if (field === 'item_type') {
    return (
      <Select
        label="Value"
        data={ITEM_TYPES}
        value={draft.value || null}
        error={errorAt('value')}
        onChange={(value) => onChange({ value: value ?? '' })}
      />
    );
  }
  if (op === 'set' && schemaField) {
    return (
      <SchemaInput
        field={schemaField}
        label="Value"
        value={draft.value}
        note={{ error: errorAt('value') }}
        onChange={(value) => onChange({ value })}
      />
    );
  }
  return (
    <>
      {op === 'replace_text' && (
        <TextInput
          label="Find"
          description="Upper and lower case differ."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={256}
          value={draft.find}
          error={errorAt('find')}
          onChange={(event) => onChange({ find: event.currentTarget.value })}
        />
      )}
      <TextInput
        label={VALUE_LABELS[op] ?? 'Value'}
        placeholder={op === 'add_percent' ? '-20' : undefined}
        maxLength={isArithmetic(op) ? 62 : 4096}
        autoComplete="off"
        value={draft.value}
        error={errorAt('value')}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
      />
      {isArithmetic(op) && (
        <Select
          label="Rounding"
          data={[...ROUNDINGS]}
          allowDeselect={false}
          value={rounding}
          onChange={(next) => onChange({ rounding: next })}
        />
      )}
    </>
  );
};

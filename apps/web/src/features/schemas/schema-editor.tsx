// Edits the fields of the schema of one item type.
import {
  ActionIcon,
  Alert,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import type { SchemaFieldType } from '@muster/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, trpc } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { notifyDone } from '../../api/notify.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { FormError, ReasonInput, submitBy, UnsavedGuard } from '../../ui/forms.tsx';
import { Icon } from '../../ui/icons.tsx';
import type { ItemSchema } from './schema-queries.ts';
import type { SchemaRow } from './schema-rows.ts';
import { newRow, TYPE_LABELS, toRows, toSchemaFields } from './schema-rows.ts';

type SchemaEditorProps = { schema: ItemSchema; typeName: string };

const MAY_EDIT = ['sandbox:config:edit'] as const;

export const SchemaEditor = ({ schema, typeName }: SchemaEditorProps) => {
  const sandbox_id = useSandboxId();
  /** The version that the edit is based on. */
  const [base, setBase] = useState(schema);
  const [rows, setRows] = useState(() => toRows(schema.fields));
  const [reason, setReason] = useState('');
  const save = useMutation({
    mutationFn: () =>
      api.itemSchemas.set.mutate({
        sandbox_id,
        item_type: schema.item_type as 'unit',
        fields: toSchemaFields(rows),
        expected_version: base.version,
        reason: reason.trim() || undefined,
      }),
    meta: { invalidates: [trpc.itemSchemas.pathKey()], showsFailure: true },
    onSuccess: (saved) => {
      load(saved);
      notifyDone(`The schema of ${typeName} is saved.`);
    },
  });
  const load = (stored: ItemSchema) => {
    setBase(stored);
    setRows(toRows(stored.fields));
    setReason('');
  };
  const isChanged =
    JSON.stringify(toSchemaFields(rows)) !== JSON.stringify(toSchemaFields(toRows(base.fields)));
  const isNewer = schema.version > base.version && !save.isPending;
  if (isNewer && !isChanged) load(schema);
  const isConflict = save.error && toApiError(save.error).code === 'item_schema_conflict';
  const problems = placeProblems(save.error);
  /** Problems have the position of a row, so they are outdated after a change. */
  const change = (next: SchemaRow[]) => {
    setRows(next);
    if (save.isError) save.reset();
  };
  const replace = (id: number, part: Partial<SchemaRow>) =>
    change(rows.map((row) => (row.id === id ? { ...row, ...part } : row)));
  const move = (row: SchemaRow, steps: -1 | 1) => {
    const others = rows.filter(({ id }) => id !== row.id);
    change(others.toSpliced(rows.indexOf(row) + steps, 0, row));
    requestAnimationFrame(() => focusMove(row.id, steps));
  };
  return (
    <form
      noValidate
      onSubmit={submitBy(() => {
        if (isChanged && !save.isPending) save.mutate();
      })}
    >
      <Stack gap="md">
        {/* A change made during the save would be lost, because the saved fields replace these. */}
        <fieldset className="plain" disabled={save.isPending}>
          <Stack gap="md">
            {rows.length === 0 && (
              <Text size="sm">
                There is no schema: custom data of these Items can have any keys and values.
              </Text>
            )}
            {rows.map((row, index) => (
              <FieldRow
                key={row.id}
                row={row}
                number={index + 1}
                isLast={index === rows.length - 1}
                problems={problems[index] ?? {}}
                onChange={(part) => replace(row.id, part)}
                onMove={(steps) => move(row, steps)}
                onRemove={() => change(rows.filter(({ id }) => id !== row.id))}
              />
            ))}
            <Group>
              <Button
                variant="default"
                leftSection={<Icon name="plus" size={16} />}
                onClick={() => change([...rows, newRow()])}
              >
                Add a field
              </Button>
            </Group>
            <ReasonInput
              description="Shown with the version. Optional."
              value={reason}
              onChange={setReason}
            />
          </Stack>
        </fieldset>
        {isNewer && (
          <NewerVersion
            version={schema.version}
            onLoad={() => {
              load(schema);
              save.reset();
            }}
            onKeep={() => {
              setBase(schema);
              save.reset();
            }}
          />
        )}
        <FormError
          error={isNewer && isConflict ? null : save.error}
          fields={rows.map((_, index) => `fields.${index}`)}
        />
        <Group gap="xs">
          <ActionButton
            type="submit"
            anyOf={MAY_EDIT}
            sandbox={sandbox_id}
            disabled={!isChanged}
            loading={save.isPending}
          >
            Save the schema
          </ActionButton>
        </Group>
      </Stack>
      <UnsavedGuard isUnsaved={isChanged} parameter="type" />
    </form>
  );
};

/** The browser moves the focus away from a moved element. At the end of the list, the other button receives it. */
const focusMove = (id: number, steps: -1 | 1): void => {
  const row = document.querySelector(`[data-field-row="${id}"]`);
  const buttons = [...(row?.querySelectorAll<HTMLElement>('[data-move]:enabled') ?? [])];
  (buttons.find(({ dataset }) => dataset.move === String(steps)) ?? buttons[0])?.focus();
};

type NewerVersionProps = { version: number; onLoad: () => void; onKeep: () => void };

/** Another person saved the schema first. */
const NewerVersion = ({ version, onLoad, onKeep }: NewerVersionProps) => (
  <Alert color="yellow" role="alert" title={`Version ${version} was saved in the meantime`}>
    <Text size="sm" mb="sm">
      Your fields are not saved. If you keep them and save again, they replace version {version}.
    </Text>
    <Group gap="xs">
      <Button variant="default" onClick={onLoad}>
        Load version {version}
      </Button>
      <Button variant="default" onClick={onKeep}>
        Keep my fields
      </Button>
    </Group>
  </Alert>
);

type RowProblems = Readonly<Record<string, string>>;

/** By row and member. */
const placeProblems = (error: unknown): Readonly<Record<number, RowProblems>> => {
  const placed: Record<number, Record<string, string>> = {};
  for (const { loc, msg } of error ? toApiError(error).detail : []) {
    const [, , index, member = 'key'] = loc;
    if (typeof index !== 'number') continue;
    placed[index] = { ...placed[index], [String(member)]: `${msg}.` };
  }
  return placed;
};

type FieldRowProps = {
  row: SchemaRow;
  number: number;
  isLast: boolean;
  problems: RowProblems;
  onChange: (part: Partial<SchemaRow>) => void;
  onMove: (steps: -1 | 1) => void;
  onRemove: () => void;
};

const TYPES = Object.entries(TYPE_LABELS).map(([value, label]) => ({ value, label }));
const TARGETS = [
  { value: 'item', label: 'Items' },
  { value: 'xp', label: 'Xp tables' },
];

const FieldRow = (props: FieldRowProps) => {
  const { row, number, isLast, problems, onChange, onMove, onRemove } = props;
  const name = row.key || `field ${number}`;
  return (
    <Paper
      component="fieldset"
      withBorder
      p="sm"
      data-field-row={row.id}
      aria-label={`Field ${row.key || number}`}
      miw={0}
      m={0}
    >
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }} spacing="sm" verticalSpacing="sm">
        <TextInput
          label="Key"
          withAsterisk
          value={row.key}
          error={problems.key}
          onChange={(event) => onChange({ key: event.currentTarget.value })}
        />
        <TextInput
          label="Label"
          placeholder={row.key}
          value={row.label}
          error={problems.label}
          onChange={(event) => onChange({ label: event.currentTarget.value })}
        />
        <NativeSelect
          label="Type"
          data={TYPES}
          value={row.type}
          error={problems.type}
          onChange={(event) => onChange({ type: event.currentTarget.value as SchemaFieldType })}
        />
        <TextInput
          label="Default"
          value={row.default}
          error={problems.default}
          onChange={(event) => onChange({ default: event.currentTarget.value })}
        />
      </SimpleGrid>
      {row.type === 'choice' && (
        <TagsInput
          label="Values"
          mt="sm"
          description="Enter or a comma ends a value."
          value={[...row.choices]}
          error={problems.choices}
          onChange={(choices) => onChange({ choices })}
        />
      )}
      {row.type === 'reference' && (
        <NativeSelect
          label="Refers to"
          mt="sm"
          maw={280}
          data={TARGETS}
          value={row.references}
          error={problems.references}
          onChange={(event) => onChange({ references: event.currentTarget.value as 'item' | 'xp' })}
        />
      )}
      <Group justify="space-between" mt="sm">
        <Checkbox
          label="Required"
          checked={row.required}
          onChange={(event) => onChange({ required: event.currentTarget.checked })}
        />
        <Group gap={4}>
          <ActionIcon
            data-move={-1}
            aria-label={`Move ${name} up`}
            disabled={number === 1}
            onClick={() => onMove(-1)}
          >
            <Icon name="arrow-up" size={16} />
          </ActionIcon>
          <ActionIcon
            data-move={1}
            aria-label={`Move ${name} down`}
            disabled={isLast}
            onClick={() => onMove(1)}
          >
            <Icon name="arrow-down" size={16} />
          </ActionIcon>
          <ActionIcon aria-label={`Remove ${name}`} onClick={onRemove}>
            <Icon name="x" size={16} />
          </ActionIcon>
        </Group>
      </Group>
    </Paper>
  );
};

// The form for both kinds: shared fields, then the fields of the kind.

import { Select, Stack, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { nameField } from '@muster/record-diff';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { trpc } from '../../api/client.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { CustomDataEditor } from '../../ui/custom-data-editor.tsx';
import { SchemaInputs } from '../schemas/schema-inputs.tsx';
import { fieldsOf, useItemSchemas } from '../schemas/schema-queries.ts';
import { addDefaults, dropDefaults, hasOwnInput } from '../schemas/schema-values.ts';
import type { Problems } from './draft.ts';
import { ITEM_TYPES } from './record-kind.ts';
import { useXpName } from './record-queries.ts';
import { ThresholdsEditor } from './thresholds-editor.tsx';
import type { DraftState } from './use-draft.ts';

/** Not part of the first load. */
const XpCurve = lazy(() => import('./xp-curve.tsx').then((m) => ({ default: m.XpCurve })));

type RecordFormProps = { state: DraftState; problems: Problems };

export const RecordForm = ({ state, problems }: RecordFormProps) => {
  const { kind, draft, change, baseFields, pendingJson } = state;
  const hasLegacyId = baseFields?.[kind.legacyIdField] !== undefined;
  return (
    <fieldset className="plain" disabled={pendingJson !== null}>
      <Stack gap="md">
        <TextInput
          label={nameField('name')}
          withAsterisk
          value={draft.name}
          error={problems.name}
          data-autofocus
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        {kind.kind === 'item' && <ItemFields state={state} problems={problems} />}
        <Textarea
          label={nameField('description')}
          autosize
          minRows={2}
          maxRows={10}
          value={draft.description ?? ''}
          error={problems.description}
          onChange={(event) => change({ description: event.currentTarget.value || undefined })}
        />
        {kind.kind === 'xp' && (
          <div>
            <ThresholdsEditor
              rows={draft.thresholds}
              problems={problems}
              onChange={(thresholds) => change({ thresholds })}
            />
            <Suspense>
              <XpCurve rows={draft.thresholds} />
            </Suspense>
          </div>
        )}
        <CustomData state={state} problems={problems} />
        <TextInput
          label={nameField(kind.legacyIdField)}
          description={
            hasLegacyId
              ? 'Belongs to this record permanently.'
              : 'The number that an older catalogue knows it by. Once set, it cannot be changed.'
          }
          maw={280}
          inputMode="numeric"
          readOnly={hasLegacyId}
          value={draft.legacyId}
          error={problems[kind.legacyIdField]}
          onChange={(event) => change({ legacyId: event.currentTarget.value })}
        />
      </Stack>
    </fieldset>
  );
};

/** Keys of the schema have inputs of their own; the others are rows. */
const CustomData = ({ state, problems }: RecordFormProps) => {
  const { kind, draft, change, base } = state;
  const { data } = useItemSchemas(kind.kind);
  const fields = kind.kind === 'item' ? fieldsOf(data, draft.itemType) : [];
  const isSameType = base && 'item_type' in base && base.item_type === draft.itemType;
  return (
    <>
      <SchemaInputs
        fields={fields}
        rows={draft.customRows}
        stored={isSameType ? base.custom_data : undefined}
        problems={problems}
        onChange={(customRows) => change({ customRows })}
      />
      <CustomDataEditor
        rows={draft.customRows}
        isHidden={(_, index) => hasOwnInput(draft.customRows, index, fields)}
        problems={problems}
        onChange={(customRows) => change({ customRows })}
      />
    </>
  );
};

/** The fields that only Items have. */
const ItemFields = ({ state, problems }: RecordFormProps) => {
  const { draft, change, base } = state;
  const { data } = useItemSchemas();
  /** A new Item gets the defaults of its type, instead of those of the previous type. */
  const defaultsOf = (itemType: string) => {
    if (base) return {};
    const kept = dropDefaults(draft.customRows, fieldsOf(data, draft.itemType));
    return { customRows: addDefaults(kept, fieldsOf(data, itemType)) };
  };
  return (
    <>
      <Select
        label={nameField('item_type')}
        withAsterisk
        maw={280}
        data={[...ITEM_TYPES]}
        value={draft.itemType}
        error={problems.item_type}
        onChange={(itemType) => itemType && change({ itemType, ...defaultsOf(itemType) })}
      />
      <TagsInput
        label={nameField('tags')}
        description="Enter or a comma ends a tag."
        value={draft.tags}
        error={problems.tags}
        isDuplicate={(tag, tags) => tags.includes(tag)}
        onChange={(tags) => change({ tags })}
      />
      <LevelTableSelect
        value={draft.levelTableId}
        error={problems.level_xp_table_id}
        onChange={(levelTableId) => change({ levelTableId })}
      />
    </>
  );
};

type LevelTableSelectProps = {
  value: string | undefined;
  error: string | undefined;
  onChange: (id: string | undefined) => void;
};

const DEBOUNCE_MS = 200;
const MAX_CHOICES = 50;

/** The Xp table that levels an Item, found by its name. */
const LevelTableSelect = ({ value, error, onChange }: LevelTableSelectProps) => {
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed, DEBOUNCE_MS);
  const sandbox = useSandboxId();
  const chosenName = useXpName(value);
  // The field shows the name of the selected table, which is not a search text.
  const search = name === chosenName ? '' : name;
  const found = useQuery({
    ...trpc.xp.list.queryOptions({ sandbox_id: sandbox, name: search, page_size: MAX_CHOICES }),
    placeholderData: keepPreviousData,
  });
  const tables = (found.data?.records ?? []).map(({ xp_id, name: label }) => {
    return { value: xp_id, label };
  });
  const isListed = tables.some((table) => table.value === value);
  const chosen = value && !isListed ? [{ value, label: chosenName }] : [];
  return (
    <Select
      label={nameField('level_xp_table_id')}
      description="Type a part of its name."
      maw={420}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'No Xp table' }}
      placeholder="None"
      nothingFoundMessage={found.isPending ? 'Looking …' : 'No Xp table has this name'}
      data={[...chosen, ...tables]}
      value={value ?? null}
      error={error}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(id) => onChange(id ?? undefined)}
    />
  );
};

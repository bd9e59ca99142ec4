// The form of both kinds: the fields that they share, and those of each.
import { Stack, Textarea, TextInput } from '@mantine/core';
import { nameField } from '@muster/record-diff';
import { CustomDataEditor } from '../../../components/custom-data/custom-data-editor.tsx';
import type { Problems } from '../draft/check-draft.ts';
import type { DraftState } from '../draft/use-draft.ts';
import { ItemFields } from './item-fields.tsx';
import classes from './record-form.module.css';
import { ThresholdsEditor } from './thresholds-editor.tsx';

type RecordFormProps = { state: DraftState; problems: Problems; sandbox: string };

export const RecordForm = ({ state, problems, sandbox }: RecordFormProps) => {
  const { kind, draft, change, baseFields, pendingJson } = state;
  const hasLegacyId = baseFields?.[kind.legacyIdField] !== undefined;
  return (
    <fieldset className={classes.fields} disabled={pendingJson !== null}>
      <Stack gap="md">
        <TextInput
          label={nameField('name')}
          withAsterisk
          value={draft.name}
          error={problems.name}
          data-autofocus
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        {kind.kind === 'item' && <ItemFields state={state} problems={problems} sandbox={sandbox} />}
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
          <ThresholdsEditor
            rows={draft.thresholds}
            problems={problems}
            onChange={(thresholds) => change({ thresholds })}
          />
        )}
        <CustomDataEditor
          rows={draft.customRows}
          problems={problems}
          onChange={(customRows) => change({ customRows })}
        />
        <TextInput
          label={nameField(kind.legacyIdField)}
          description={
            hasLegacyId
              ? 'Belongs to this record for ever.'
              : 'The number that an older catalogue knows it by. Once given, it stays for ever.'
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

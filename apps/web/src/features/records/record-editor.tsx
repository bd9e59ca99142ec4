// The form or JSON on the left, the changes on the right, and the dialogs that protect unsaved input.

import { Alert, Box, Button, Group, Stack, Text } from '@mantine/core';
import { lazy, Suspense, useDeferredValue } from 'react';
// Loaded with the page: a placeholder in its stead would move the buttons below it while a user clicks.
import { Changes } from '../../ui/change-table.tsx';
import { formatKeys, useCommand } from '../../ui/commands.ts';
import { FormError, ReasonInput, submitBy, UnsavedGuard } from '../../ui/forms.tsx';
import { LoadingState } from '../../ui/states.tsx';
import { useAccountName } from '../accounts/account-name.tsx';
import classes from './record-editor.module.css';
import { RecordForm } from './record-form.tsx';
import type { RecordFields, StoredRecord } from './record-kind.ts';
import { readFields } from './record-kind.ts';
import type { DraftState, Save } from './use-draft.ts';

const ConflictDialog = lazy(() =>
  import('./conflict-dialog.tsx').then((m) => ({ default: m.ConflictDialog })),
);

/** Loaded when the tab is first opened, because it contains a JSON parser with positions. */
const JsonEditor = lazy(() => import('./json-editor.tsx').then((m) => ({ default: m.JsonEditor })));

type RecordEditorProps = {
  state: DraftState;
  save: Save;
  /** The newest version that the page has loaded. */
  stored?: StoredRecord;
  /** Shows the JSON instead of the form. */
  isJson: boolean;
  onOpenJson: () => void;
};

export const RecordEditor = (props: RecordEditorProps) => {
  const { state, save, stored, isJson, onOpenJson } = props;
  const { base } = state;
  const isNewer = base && stored && stored.version > base.version;
  // After a save, the record is refetched before it becomes the base of the draft.
  const newer = isNewer && !save.isSaving ? stored : null;
  return (
    <form
      className={classes.editor}
      noValidate
      onSubmit={submitBy(save.save)}
      onFocus={({ target }) => state.setHasFocus(!(target instanceof HTMLButtonElement))}
      onBlur={() => state.setHasFocus(false)}
    >
      <div>
        {newer && (
          <Alert
            color="yellow"
            mb="md"
            title={`Version ${newer.version} was saved in the meantime`}
          >
            {state.isUnsaved ? (
              <Button variant="default" onClick={() => save.setConflict({ theirs: newer })}>
                Look at both edits
              </Button>
            ) : (
              <Button variant="default" onClick={() => state.rebase(newer)}>
                Show it
              </Button>
            )}
          </Alert>
        )}
        {isJson ? (
          <Suspense fallback={<LoadingState lines={8} />}>
            <JsonEditor state={state} />
          </Suspense>
        ) : (
          <RecordForm state={state} problems={save.problems} />
        )}
      </div>
      <SavePanel state={state} save={save} onOpenJson={isJson ? undefined : onOpenJson} />
      <SaveConflict state={state} save={save} />
      <UnsavedGuard isUnsaved={state.isUnsaved} />
    </form>
  );
};

const SaveConflict = ({ state, save }: Pick<RecordEditorProps, 'state' | 'save'>) => {
  const { kind, baseFields, fields, rebase } = state;
  const { conflict, setConflict } = save;
  const author = useAccountName(conflict?.accountId);
  if (!conflict || !baseFields) return null;
  return (
    <Suspense fallback={<LoadingState lines={2} />}>
      <ConflictDialog
        base={baseFields}
        theirs={readFields(kind, conflict.theirs)}
        mine={fields}
        theirName={author || undefined}
        onClose={() => setConflict(null)}
        onResolve={(merged) => {
          rebase(conflict.theirs, merged as RecordFields);
          setConflict(null);
        }}
      />
    </Suspense>
  );
};

type SavePanelProps = {
  state: DraftState;
  save: Save;
  /** Absent while the JSON is shown. */
  onOpenJson?: () => void;
};

/** The changes, the reason and the buttons. */
const SavePanel = ({ state, save, onOpenJson }: SavePanelProps) => {
  const { kind, base, baseFields, reason, setReason, isUnsaved, pendingJson } = state;
  const fields = useDeferredValue(state.fields);
  useCommand({ label: 'Save', keys: 'mod+s', enabled: !save.conflict, run: save.save });
  const shown = [...kind.fields, kind.idField];
  return (
    <section className={classes.panel} aria-label="Saving">
      <Stack gap="sm">
        {base && (
          <div>
            <h2 className={classes.heading}>What saving will change</h2>
            <Box mah="24rem" style={{ overflow: 'auto' }}>
              {save.isChanged ? (
                <Changes before={baseFields} after={fields} />
              ) : (
                <p className="hint">Nothing yet.</p>
              )}
            </Box>
          </div>
        )}
        <ReasonInput
          description="Shown in the history, beside your name. Optional."
          value={reason}
          onChange={setReason}
        />
        {pendingJson !== null && <PendingJson state={state} onOpenJson={onOpenJson} />}
        <FormError error={save.error} fields={shown} />
        <Group gap="xs">
          <Button
            disabled={!save.isChanged || pendingJson !== null}
            loading={save.isSaving}
            onClick={save.save}
          >
            {base ? 'Save' : `Create ${kind.one}`}
          </Button>
          {isUnsaved && (
            <Button variant="default" onClick={state.discard}>
              Discard changes
            </Button>
          )}
          <span className="hint">{formatKeys('mod+s').join('+')}</span>
          <ProblemCount problems={save.problems} />
        </Group>
      </Stack>
    </section>
  );
};

/** A long table shows problems beside rows that may be out of sight. */
const ProblemCount = ({ problems }: { problems: Save['problems'] }) => {
  const count = Object.keys(problems).length;
  return (
    <Text component="span" size="sm" c="var(--mantine-color-error)" role="status">
      {count > 0 && `${count.toLocaleString('en')} ${count === 1 ? 'problem' : 'problems'}`}
    </Text>
  );
};

const PendingJson = ({ state, onOpenJson }: Pick<SavePanelProps, 'state' | 'onOpenJson'>) => (
  <Alert color="yellow" title="The JSON is not valid yet">
    <Box component="p" m="0 0 8px">
      It is kept. The form can be used again once the JSON is valid.
    </Box>
    <Group gap="xs">
      {onOpenJson && (
        <Button variant="default" onClick={onOpenJson}>
          Fix the JSON
        </Button>
      )}
      <Button variant="subtle" onClick={() => state.setPendingJson(null)}>
        Discard the JSON text
      </Button>
    </Group>
  </Alert>
);

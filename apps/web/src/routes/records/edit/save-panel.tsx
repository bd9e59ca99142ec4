import { Alert, Button, Group, Stack, Textarea } from '@mantine/core';
import { useDeferredValue } from 'react';
import { nameKeysForPeople } from '../../../commands/key-names.ts';
import { useCommand } from '../../../commands/use-command.ts';
import { DiffView } from '../../../components/diff/diff-view.tsx';
import { FormError } from '../../../components/forms/form-error.tsx';
import type { DraftState } from '../draft/use-draft.ts';
import type { Save } from '../draft/use-save.ts';
import classes from './record-editor.module.css';

type SavePanelProps = {
  state: DraftState;
  save: Save;
  /** Absent while the JSON is in sight. */
  onOpenJson?: () => void;
};

/** What saving will change, why, and the buttons. */
export const SavePanel = ({ state, save, onOpenJson }: SavePanelProps) => {
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
            <div className={classes.changes}>
              {save.isChanged ? (
                <DiffView before={baseFields} after={fields} />
              ) : (
                <p className={classes.hint}>Nothing yet.</p>
              )}
            </div>
          </div>
        )}
        <Textarea
          label="Reason"
          description="Shown in the history, beside your name. Optional."
          autosize
          minRows={1}
          maxRows={5}
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
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
          <span className={classes.hint}>{nameKeysForPeople('mod+s').join('+')}</span>
        </Group>
      </Stack>
    </section>
  );
};

const PendingJson = ({ state, onOpenJson }: Pick<SavePanelProps, 'state' | 'onOpenJson'>) => (
  <Alert color="yellow" title="The JSON is not valid yet">
    <p className={classes.waiting}>It is kept, and the form waits for it.</p>
    <Group gap="xs">
      {onOpenJson && (
        <Button variant="default" onClick={onOpenJson}>
          Mend the JSON
        </Button>
      )}
      <Button variant="subtle" onClick={() => state.setPendingJson(null)}>
        Discard the JSON text
      </Button>
    </Group>
  </Alert>
);

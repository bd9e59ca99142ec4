// Form or JSON at the left, what saving will change at the right; and the dialogs that keep typed input safe.
import { Alert, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAccountName } from '../../../components/accounts/account-names.ts';
import { ConflictDialog } from '../../../components/dialogs/conflict-dialog.tsx';
import { UnsavedGuard } from '../../../components/forms/unsaved-guard.tsx';
import { readFields } from '../../../features/records/record-kind.ts';
import type { StoredRecord } from '../../../features/records/record-procedures.ts';
import type { DraftState } from '../draft/use-draft.ts';
import type { Save } from '../draft/use-save.ts';
import classes from './record-editor.module.css';
import { SavePanel } from './save-panel.tsx';

type RecordEditorProps = {
  state: DraftState;
  save: Save;
  /** The newest state that the page knows. */
  stored?: StoredRecord;
  onOpenJson?: () => void;
  /** The form, or the JSON. */
  children: ReactNode;
};

export const RecordEditor = ({ state, save, stored, onOpenJson, children }: RecordEditorProps) => {
  const { base } = state;
  const newer = base && stored && stored.version > base.version ? stored : null;
  return (
    <form
      className={classes.editor}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.save();
      }}
    >
      <div>
        {newer && (
          <Alert color="yellow" mb="md" title={`Version ${newer.version} was saved meanwhile`}>
            <Button variant="default" onClick={() => save.setConflict({ theirs: newer })}>
              Look at both edits
            </Button>
          </Alert>
        )}
        {children}
      </div>
      <SavePanel state={state} save={save} onOpenJson={onOpenJson} />
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
    <ConflictDialog
      base={baseFields}
      theirs={readFields(kind, conflict.theirs)}
      mine={fields}
      theirName={author || undefined}
      onClose={() => setConflict(null)}
      onResolve={(merged) => {
        rebase(conflict.theirs, merged);
        setConflict(null);
      }}
    />
  );
};

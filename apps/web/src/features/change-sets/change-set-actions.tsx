import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { notifyDone, notifyError } from '../../api/notify.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { useFirstPage } from '../../ui/table/paged-rows.ts';
import { CATALOGUE_KEYS } from '../records/record-queries.ts';
import type { ChangeSet } from './change-set-queries.ts';
import { CHANGE_SET_KEYS, previewOptions } from './change-set-queries.ts';
import { RevertSetButton } from './revert-button.tsx';

type ActionProps = { set: ChangeSet; sandbox: Sandbox };

export const ChangeSetActions = (props: ActionProps) => {
  const { state } = props.set;
  if (state === 'draft') return <DraftActions {...props} />;
  return state === 'applied' && <RevertSetButton set={props.set} />;
};

const EDIT = ['sandbox:config:edit'] as const;
const APPLIED_KEYS = [...CHANGE_SET_KEYS, ...CATALOGUE_KEYS];

const DraftActions = ({ set, sandbox }: ActionProps) => {
  const { sandbox_id, change_set_id, revision } = set;
  const [isAsking, setAsking] = useState(false);
  const counts = useFirstPage(previewOptions(sandbox_id, change_set_id, false))?.counts;
  const place = { sandbox_id, change_set_id, expected_revision: revision };
  const apply = async (confirmation: { confirm_sandbox_name?: string } = {}) => {
    const answer = await api['changeSets.apply'].mutate({ ...place, ...confirmation });
    notifyDone(`Applied "${answer.change_set.title}".`);
  };
  const applying = useMutation({
    mutationFn: () => apply(),
    meta: { invalidates: APPLIED_KEYS, showsFailure: true },
    // Only deletions in a protected sandbox need its name.
    onError: (error) =>
      toApiError(error).code === 'sandbox_confirmation_required'
        ? setAsking(true)
        : notifyError(error),
  });
  const cancelling = useMutation({
    mutationFn: () => api.changeSets.cancel.mutate(place),
    meta: { invalidates: CHANGE_SET_KEYS },
  });
  const isBusy = applying.isPending || cancelling.isPending;
  return (
    <>
      <ActionButton
        variant="default"
        anyOf={EDIT}
        sandbox={sandbox_id}
        reason={isBusy && 'Wait until the change set is saved.'}
        onClick={() => cancelling.mutate()}
      >
        Cancel the change set
      </ActionButton>
      <ActionButton
        anyOf={EDIT}
        sandbox={sandbox_id}
        loading={applying.isPending}
        reason={findObstacle(counts)}
        onClick={() => applying.mutate()}
      >
        {counts ? `Apply ${describeChanges(counts.changes)}` : 'Apply'}
      </ActionButton>
      {isAsking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title={`Write into ${sandbox.name}?`}
          action="Apply"
          sandbox={sandbox}
          invalidates={APPLIED_KEYS}
          onConfirm={apply}
        >
          All changes are applied as one edit, or none. You can revert the edit later.
        </ConfirmDialog>
      )}
    </>
  );
};

type Counts = { changes: number; problems: number };

const describeChanges = (changes: number): string =>
  `${changes.toLocaleString('en')} ${changes === 1 ? 'change' : 'changes'}`;

const findObstacle = (counts: Counts | undefined): string | false => {
  if (!counts) return 'The changes are being checked.';
  if (counts.problems > 0) return 'Some changes cannot be applied. The list shows the reasons.';
  return counts.changes === 0 && 'No record would change.';
};

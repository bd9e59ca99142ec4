import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { notifyError, notifyWithLink } from '../../api/notify.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { useFirstPage } from '../../ui/table/paged-rows.ts';
import { CATALOGUE_KEYS } from '../records/record-queries.ts';
import { CHANGE_SET_KEYS } from './change-set-queries.ts';
import { RevertSetButton } from './revert-button.tsx';
import { BypassButton, DecisionButtons, SubmitButton } from './review-actions.tsx';
import type { ReviewedChangeSet } from './review-queries.ts';
import { countMissing, OPEN_STATES, placeOf, previewOptions } from './review-queries.ts';
import { ScheduleButton, UnscheduleButton } from './schedule-actions.tsx';
import { Undoable } from './undoable.tsx';

type ActionProps = {
  set: ReviewedChangeSet;
  sandbox: Sandbox;
  /** In a dialog, which has a button of its own that discards the set. Also called after it was submitted. */
  onApplied?: () => void;
  /** Called when an application starts and when it ends. */
  onApplying?: (isApplying: boolean) => void;
};

export const ChangeSetActions = (props: ActionProps) => {
  const { set } = props;
  const { state } = set;
  if (state === 'scheduled') return <ScheduledActions {...props} />;
  if (state === 'applied') return <AppliedActions set={set} />;
  if (!OPEN_STATES.includes(state)) return null;
  const isSubmitted = state === 'in_review' || state === 'approved';
  const isReady = state !== 'rejected' && countMissing(set) === 0;
  return (
    <>
      {!props.onApplied && <CancelButton set={set} />}
      {state !== 'rejected' && <BypassButton {...props} onDone={props.onApplied} />}
      {isSubmitted ? (
        <DecisionButtons set={set} />
      ) : (
        <SubmitButton set={set} onDone={props.onApplied} />
      )}
      {isReady && <ApplyButtons {...props} />}
    </>
  );
};

const ScheduledActions = ({ set, sandbox }: ActionProps) => (
  <>
    <UnscheduleButton set={set} />
    <ScheduleButton set={set} sandbox={sandbox} />
  </>
);

const AppliedActions = ({ set }: Pick<ActionProps, 'set'>) => (
  <>
    {set.schedule?.next_step === 'return' && <UnscheduleButton set={set} />}
    <RevertSetButton set={set} />
  </>
);

const EDIT = ['sandbox:config:edit'] as const;
const APPLIED_KEYS = [...CHANGE_SET_KEYS, ...CATALOGUE_KEYS];

const CancelButton = ({ set }: Pick<ActionProps, 'set'>) => {
  const cancelling = useMutation({
    mutationFn: () => api.changeSets.cancel.mutate(placeOf(set)),
    meta: { invalidates: CHANGE_SET_KEYS },
  });
  return (
    <ActionButton
      variant="default"
      anyOf={EDIT}
      sandbox={set.sandbox_id}
      loading={cancelling.isPending}
      onClick={() => cancelling.mutate()}
    >
      Cancel the change set
    </ActionButton>
  );
};

const ApplyButtons = ({ set, sandbox, onApplied, onApplying }: ActionProps) => {
  const [isAsking, setAsking] = useState(false);
  const counts = useFirstPage(previewOptions(set, undefined))?.counts;
  const apply = async (confirmation: { confirm_sandbox_name?: string } = {}) => {
    onApplying?.(true);
    try {
      const answer = await api['changeSets.apply'].mutate({ ...placeOf(set), ...confirmation });
      notifyWithLink(
        <Undoable
          message={`Applied "${answer.change_set.title}".`}
          sandbox={set.sandbox_id}
          transactionId={answer.transaction_id}
        />,
      );
      onApplied?.();
    } finally {
      onApplying?.(false);
    }
  };
  const applying = useMutation({
    mutationFn: () => apply(),
    meta: { invalidates: APPLIED_KEYS, showsFailure: true },
    // In a protected sandbox, promotions, deletions, and imports that change records need its name.
    onError: (error) =>
      toApiError(error).code === 'sandbox_confirmation_required'
        ? setAsking(true)
        : notifyError(error),
  });
  return (
    <>
      {!onApplied && <ScheduleButton set={set} sandbox={sandbox} reason={findObstacle(counts)} />}
      <ActionButton
        anyOf={EDIT}
        sandbox={set.sandbox_id}
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

// The buttons of a review: submit, approve, reject, and applying without approval.
import { Alert, Textarea, TextInput } from '@mantine/core';
import { isSameName } from '@muster/contract';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useMe, usePermission } from '../../api/me.ts';
import { notifyDone } from '../../api/notify.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { FormDialog } from '../../ui/dialogs.tsx';
import { useServerForm } from '../../ui/forms.tsx';
import { useFirstPage } from '../../ui/table/paged-rows.ts';
import { CATALOGUE_KEYS } from '../records/record-queries.ts';
import { CHANGE_SET_KEYS } from './change-set-queries.ts';
import type { ReviewedChangeSet } from './review-queries.ts';
import { countMissing, placeOf, previewOptions } from './review-queries.ts';

type SetProps = { set: ReviewedChangeSet };
type DoneProps = {
  /** In a dialog, which then no longer discards the set. */
  onDone?: (() => void) | undefined;
};

export const SubmitButton = ({ set, onDone }: SetProps & DoneProps) => {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.changeSets.submit.mutate(placeOf(set)),
    meta: { invalidates: CHANGE_SET_KEYS },
    onSuccess: () => {
      notifyDone(`"${set.title}" waits for review.`);
      onDone?.();
    },
  });
  return (
    <ActionButton
      variant={set.review.required_approvals > 0 ? 'filled' : 'default'}
      anyOf={['sandbox:config:edit']}
      sandbox={set.sandbox_id}
      loading={isPending}
      reason={set.operation_count === 0 && 'The change set has no changes.'}
      onClick={() => mutate()}
    >
      Submit for review
    </ActionButton>
  );
};

const APPROVE = ['sandbox:config:approve'] as const;

/** Approving and rejecting, for people other than the author. */
export const DecisionButtons = ({ set }: SetProps) => {
  const { account_id: me } = useMe();
  const isShown = useFirstPage(previewOptions(set, undefined)) !== undefined;
  const [isRejecting, setRejecting] = useState(false);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.changeSets.approve.mutate(placeOf(set)),
    meta: { invalidates: CHANGE_SET_KEYS },
    onSuccess: () => notifyDone(`You approved "${set.title}".`),
  });
  const { approvals, editor_ids } = set.review;
  const isContributor = set.author_id === me || editor_ids.includes(me);
  const hasApproved = approvals.some(({ account_id }) => account_id === me);
  return (
    <>
      <ActionButton
        variant="default"
        anyOf={APPROVE}
        sandbox={set.sandbox_id}
        onClick={() => setRejecting(true)}
      >
        Reject …
      </ActionButton>
      <ActionButton
        variant={countMissing(set) > 0 ? 'filled' : 'default'}
        anyOf={APPROVE}
        sandbox={set.sandbox_id}
        loading={isPending}
        reason={
          (isContributor && 'You created or changed it. Someone else has to approve it.') ||
          (hasApproved && 'You have approved it.') ||
          (!isShown && 'The changes are being checked.')
        }
        onClick={() => mutate()}
      >
        Approve
      </ActionButton>
      {isRejecting && <RejectDialog set={set} onClose={() => setRejecting(false)} />}
    </>
  );
};

type DialogProps = SetProps & { onClose: () => void };

const RejectDialog = ({ set, onClose }: DialogProps) => {
  const server = useServerForm({
    initialValues: { reason: '' },
    validate: { reason: (reason) => (reason.trim() === '' ? 'Type a reason.' : null) },
    send: ({ reason }) => api.changeSets.reject.mutate({ ...placeOf(set), reason: reason.trim() }),
    invalidates: CHANGE_SET_KEYS,
    done: `"${set.title}" is rejected.`,
    onDone: onClose,
  });
  return (
    <FormDialog
      title={`Reject "${set.title}"?`}
      server={server}
      action="Reject"
      isDestructive
      onClose={onClose}
    >
      <Textarea
        data-autofocus
        label="Reason"
        description="The author sees it with the change set, which can be changed and submitted again."
        autosize
        minRows={2}
        maxLength={2_000}
        {...server.form.getInputProps('reason')}
      />
    </FormDialog>
  );
};

type BypassProps = SetProps & DoneProps & { sandbox: Sandbox };

/** Only owners may apply a change set that lacks approvals. */
export const BypassButton = ({ set, sandbox, onDone }: BypassProps) => {
  const [isOpen, setOpen] = useState(false);
  const isOwner = usePermission(['*']);
  if (!isOwner || countMissing(set) === 0) return null;
  return (
    <>
      <ActionButton variant="default" color="red" onClick={() => setOpen(true)}>
        Apply without approval …
      </ActionButton>
      {isOpen && (
        <BypassDialog set={set} sandbox={sandbox} onDone={onDone} onClose={() => setOpen(false)} />
      )}
    </>
  );
};

const BypassDialog = ({ set, sandbox, onDone, onClose }: BypassProps & DialogProps) => {
  const { name, protected: isProtected } = sandbox;
  const server = useServerForm({
    initialValues: { bypass_reason: '', confirm_sandbox_name: '' },
    validate: {
      bypass_reason: (reason) => (reason.trim() === '' ? 'Type a reason.' : null),
      confirm_sandbox_name: (typed) =>
        isProtected && !isSameName(typed, name) ? `Type "${name}" to confirm.` : null,
    },
    send: ({ bypass_reason, confirm_sandbox_name }) =>
      api['changeSets.apply'].mutate({
        ...placeOf(set),
        bypass_reason: bypass_reason.trim(),
        ...(isProtected && { confirm_sandbox_name }),
      }),
    invalidates: [...CHANGE_SET_KEYS, ...CATALOGUE_KEYS],
    done: `Applied "${set.title}" without approval.`,
    onDone: () => {
      onClose();
      onDone?.();
    },
  });
  return (
    <FormDialog
      title={`Apply "${set.title}" without approval?`}
      server={server}
      action="Apply without approval"
      isDestructive
      onClose={onClose}
    >
      <Textarea
        data-autofocus
        label="Reason"
        description="Kept in the audit trail and shown with the change set."
        autosize
        minRows={2}
        maxLength={1_000}
        {...server.form.getInputProps('bypass_reason')}
      />
      {isProtected && (
        <Alert color="yellow" title={`${name} is protected`}>
          <TextInput
            label={`Type "${name}" to confirm`}
            autoComplete="off"
            {...server.form.getInputProps('confirm_sandbox_name')}
          />
        </Alert>
      )}
    </FormDialog>
  );
};

import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import type { ChangeSet } from './change-set-queries.ts';
import { CHANGE_SET_KEYS } from './change-set-queries.ts';

type RevertButtonProps = {
  sandbox: string;
  transactionId: string;
  /** "Undo" beside the result of the edit itself. */
  label?: string;
  /** In a row of a list, or in a notification. */
  isSmall?: boolean;
};

/** Makes a change set that undoes an edit, and opens it. Nothing changes until the user applies it there. */
export const RevertButton = ({ sandbox, transactionId, ...look }: RevertButtonProps) => {
  const revert = () =>
    api.edits.revert.mutate({ sandbox_id: sandbox, transaction_id: transactionId });
  return <OpenRevertButton {...look} sandbox={sandbox} revert={revert} />;
};

type RevertSetButtonProps = { set: Pick<ChangeSet, 'sandbox_id' | 'change_set_id'> };

/** The same for an applied change set, whose title the new one names. */
export const RevertSetButton = ({ set: { sandbox_id, change_set_id } }: RevertSetButtonProps) => {
  const revert = () => api.changeSets.revert.mutate({ sandbox_id, change_set_id });
  return <OpenRevertButton sandbox={sandbox_id} revert={revert} />;
};

type OpenRevertButtonProps = Omit<RevertButtonProps, 'transactionId'> & {
  revert: MakeSetButtonProps['make'];
};

const OpenRevertButton = (props: OpenRevertButtonProps) => {
  const { sandbox, revert, label = 'Revert …', isSmall } = props;
  return (
    <MakeSetButton sandbox={sandbox} make={revert} isSmall={isSmall}>
      {label}
    </MakeSetButton>
  );
};

type MakeSetButtonProps = {
  sandbox: string;
  make: () => Promise<Pick<ChangeSet, 'change_set_id'>>;
  isSmall?: boolean | undefined;
  /** Why no set can be made. */
  reason?: string | false;
  children: string;
};

/** Makes a change set on the service, and opens it. */
export const MakeSetButton = (props: MakeSetButtonProps) => {
  const { sandbox, make, isSmall = false, reason = false, children } = props;
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: make,
    meta: { invalidates: CHANGE_SET_KEYS },
    onSuccess: ({ change_set_id }) =>
      navigate({ to: '/s/$sandbox/change-sets/$id', params: { sandbox, id: change_set_id } }),
  });
  return (
    <ActionButton
      variant="default"
      size={isSmall ? 'compact-xs' : 'sm'}
      anyOf={['sandbox:config:edit']}
      sandbox={sandbox}
      reason={reason}
      loading={isPending}
      onClick={() => mutate()}
    >
      {children}
    </ActionButton>
  );
};

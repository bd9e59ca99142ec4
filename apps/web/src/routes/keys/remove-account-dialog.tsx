import { queryClient } from '../../api/query-client.ts';
import { api, trpc } from '../../api/trpc.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { notifyDone } from '../../components/notify.ts';
import type { Account } from './key-row.ts';

type RemoveAccountDialogProps = {
  opened: boolean;
  account: Account;
  onClose: () => void;
  onDone: () => void;
};

export const RemoveAccountDialog = ({ account, onDone, ...dialog }: RemoveAccountDialogProps) => (
  <ConfirmDialog
    {...dialog}
    title={`Remove ${account.name}?`}
    action="Remove"
    isDestructive
    onConfirm={async () => {
      await api.keys.removeAccount.mutate({ account_id: account.account_id });
      await queryClient.invalidateQueries({ queryKey: trpc.keys.pathKey() });
      notifyDone(`${account.name} is removed.`);
      onDone();
    }}
  >
    {account.keys.length > 0
      ? `Its ${account.keys.length === 1 ? 'key stops' : 'keys stop'} working.`
      : 'It has no key.'}{' '}
    What it did stays in histories and in the audit trail, under its name.
  </ConfirmDialog>
);

import type { Sandbox } from '../../access/sandboxes.ts';
import { sandboxesOptions } from '../../access/sandboxes.ts';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/trpc.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { notifyDone } from '../../components/notify.ts';

type ProtectDialogProps = { sandbox: Sandbox; onClose: () => void };

export const ProtectDialog = ({ sandbox, onClose }: ProtectDialogProps) => {
  const { sandbox_id, name } = sandbox;
  const isProtected = sandbox.protected === true;
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={isProtected ? `Lift the protection of ${name}?` : `Protect ${name}?`}
      action={isProtected ? 'Lift protection' : 'Protect'}
      isDestructive={isProtected}
      sandbox={sandbox}
      onConfirm={async (confirmation) => {
        await api.sandboxes.update.mutate({
          sandbox_id,
          protected: !isProtected,
          ...confirmation,
        });
        await queryClient.invalidateQueries({ queryKey: sandboxesOptions.queryKey });
        notifyDone(isProtected ? `${name} is not protected any more.` : `${name} is protected.`);
      }}
    >
      {isProtected
        ? 'Everybody who edits this sandbox can then delete in it without a question.'
        : 'It is marked everywhere. Deleting in it then needs an admin and the typed name of the sandbox.'}
    </ConfirmDialog>
  );
};

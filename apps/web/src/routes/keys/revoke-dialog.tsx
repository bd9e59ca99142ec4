import { queryClient } from '../../api/query-client.ts';
import { api, trpc } from '../../api/trpc.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { notifyDone } from '../../components/notify.ts';
import type { Key } from './key-row.ts';

type RevokeDialogProps = { opened: boolean; value: Key; onClose: () => void };

export const RevokeDialog = ({ opened, value, onClose }: RevokeDialogProps) => (
  <ConfirmDialog
    opened={opened}
    onClose={onClose}
    title={`Revoke "${value.name}"?`}
    action="Revoke"
    isDestructive
    onConfirm={async () => {
      await api.keys.revoke.mutate({ key_id: value.key_id });
      await queryClient.invalidateQueries({ queryKey: trpc.keys.pathKey() });
      notifyDone('The key is revoked.');
    }}
  >
    Within five seconds nobody gets in with it any more. This cannot be undone; to change over
    without a gap, rotate it instead.
  </ConfirmDialog>
);

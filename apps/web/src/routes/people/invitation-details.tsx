import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import { api, trpc } from '../../api/trpc.ts';
import { AccountName } from '../../components/accounts/account-name.tsx';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import { notifyDone } from '../../components/notify.ts';
import { TimeText } from '../../components/time/time-text.tsx';
import { Facts } from '../../features/accounts/facts.tsx';
import { ROLE_WORDS } from '../../features/accounts/role-words.ts';
import { SandboxNames } from '../../features/accounts/sandbox-names.tsx';
import type { Invitation } from './person-row.ts';

type InvitationDetailsProps = { invitation: Invitation; onClose: () => void };

export const InvitationDetails = ({ invitation, onClose }: InvitationDetailsProps) => {
  const { invitation_id, email, role, sandbox_ids, invited_by, created, expires } = invitation;
  const [isRevoking, setRevoking] = useState(false);
  const revoke = async () => {
    await api.people.revokeInvitation.mutate({ invitation_id });
    await queryClient.invalidateQueries({ queryKey: trpc.people.pathKey() });
    notifyDone('The invitation is revoked.');
    onClose();
  };
  return (
    <>
      <Modal opened={!isRevoking} onClose={onClose} title={email}>
        <Stack gap="md">
          <Facts
            facts={[
              ['Role', ROLE_WORDS[role].label],
              ['Sandboxes', <SandboxNames key="sandboxes" ids={sandbox_ids} />],
              ['Invited by', <AccountName key="by" id={invited_by} />],
              ['Invited', <TimeText key="created" at={created} />],
              ['Ends', <TimeText key="expires" at={expires} />],
            ]}
          />
          <Text size="xs" c="dimmed">
            The link was shown once. If it is lost, invite the same address again: that makes a new
            link and ends this one.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setRevoking(true)}>
              Revoke
            </Button>
          </Group>
        </Stack>
      </Modal>
      <ConfirmDialog
        opened={isRevoking}
        onClose={() => setRevoking(false)}
        title={`Revoke the invitation of ${email}?`}
        action="Revoke"
        isDestructive
        onConfirm={revoke}
      >
        The link stops working.
      </ConfirmDialog>
    </>
  );
};

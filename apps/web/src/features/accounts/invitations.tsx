// Invitations: the dialog that creates one and shows its link, and the details of one that is open.
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api, trpc } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { SecretBox } from '../../ui/copyable.tsx';
import { ConfirmDialog, Dialog, DialogForm } from '../../ui/dialogs.tsx';
import { Facts } from '../../ui/facts.tsx';
import { useServerForm } from '../../ui/forms.tsx';
import { ROLE_LABELS } from '../../ui/permission-labels.ts';
import { TimeText } from '../../ui/time.tsx';
import { AccountName } from './account-name.tsx';
import type { Invitation } from './person-rows.ts';
import type { RoleGrant } from './role-fields.tsx';
import { GrantFields } from './role-fields.tsx';
import { checkScope, SandboxNames } from './sandbox-scope.tsx';

type Invited = { email: string; url: string; expires: string };

export const InviteDialog = ({ onClose }: { onClose: () => void }) => {
  const [invited, setInvited] = useState<Invited | null>(null);
  return (
    <Dialog opened onClose={onClose} title={invited ? 'Share this link' : 'Invite a person'}>
      {invited ? (
        <InviteLink invited={invited} onClose={onClose} />
      ) : (
        <InviteForm onClose={onClose} onDone={setInvited} />
      )}
    </Dialog>
  );
};

type InviteFormProps = { onClose: () => void; onDone: (invited: Invited) => void };

const InviteForm = ({ onClose, onDone }: InviteFormProps) => {
  const { sandbox_ids: own } = useMe();
  const initial: RoleGrant = { role: 'viewer', sandbox_ids: own ? [...own] : undefined };
  const server = useServerForm({
    initialValues: { email: '', grant: initial },
    validate: {
      email: (email) => (/^\S+@\S+$/.test(email.trim()) ? null : 'Enter an e-mail address.'),
      grant: ({ sandbox_ids }) => checkScope(sandbox_ids),
    },
    send: async ({ email, grant }) => {
      const made = await api.people.invite.mutate({ email: email.trim(), ...grant });
      return { ...made, email: email.trim() };
    },
    invalidates: [trpc.people.pathKey()],
    onDone,
  });
  const { form } = server;
  return (
    <DialogForm server={server} action="Create link" onClose={onClose}>
      <TextInput
        data-autofocus
        label="E-mail"
        description="They sign in with it. Muster sends no e-mail: share the link yourself."
        type="email"
        {...form.getInputProps('email')}
      />
      <GrantFields
        value={form.values.grant}
        error={form.errors.grant as string | undefined}
        onChange={(grant) => form.setFieldValue('grant', grant)}
      />
    </DialogForm>
  );
};

const InviteLink = ({ invited, onClose }: { invited: Invited; onClose: () => void }) => (
  <Stack gap="sm">
    <Alert color="yellow" title="Copy it now">
      The link is shown only here. The first person to open it becomes {invited.email}.
    </Alert>
    <SecretBox label="link" secret={invited.url} />
    <Text size="xs" c="dimmed">
      It works once, and ends <TimeText at={invited.expires} />.
    </Text>
    <Group justify="flex-end">
      <Button onClick={onClose}>Done</Button>
    </Group>
  </Stack>
);

type InvitationDetailsProps = { invitation: Invitation; onClose: () => void };

export const InvitationDetails = ({ invitation, onClose }: InvitationDetailsProps) => {
  const { invitation_id, email, role, sandbox_ids, invited_by, created, expires } = invitation;
  const [isRevoking, setRevoking] = useState(false);
  return (
    <>
      <Modal opened={!isRevoking} onClose={onClose} title={email}>
        <Stack gap="md">
          <Facts
            facts={{
              Role: ROLE_LABELS[role].label,
              Sandboxes: <SandboxNames ids={sandbox_ids} />,
              'Invited by': <AccountName id={invited_by} />,
              Invited: <TimeText at={created} />,
              Ends: <TimeText at={expires} />,
            }}
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
        onConfirm={() => api.people.revokeInvitation.mutate({ invitation_id })}
        invalidates={[trpc.people.pathKey()]}
        done="The invitation is revoked."
        onDone={onClose}
      >
        The link stops working.
      </ConfirmDialog>
    </>
  );
};

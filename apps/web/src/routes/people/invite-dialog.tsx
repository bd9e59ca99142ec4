// Invites somebody; the second page of the dialog shows the link to hand over.
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../access/me.ts';
import { queryClient } from '../../api/query-client.ts';
import { api, trpc } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { TimeText } from '../../components/time/time-text.tsx';
import { checkScope } from '../../features/accounts/sandbox-scope.tsx';
import { SecretBox } from '../../features/accounts/secret-box.tsx';
import type { RoleGrant } from './grant-fields.tsx';
import { GrantFields } from './grant-fields.tsx';

type Invited = { email: string; url: string; expires: string };

export const InviteDialog = ({ onClose }: { onClose: () => void }) => {
  const [invited, setInvited] = useState<Invited | null>(null);
  return (
    <Modal opened onClose={onClose} title={invited ? 'Hand over this link' : 'Invite somebody'}>
      {invited ? (
        <InviteLink invited={invited} onClose={onClose} />
      ) : (
        <InviteForm onClose={onClose} onDone={setInvited} />
      )}
    </Modal>
  );
};

type InviteFormProps = { onClose: () => void; onDone: (invited: Invited) => void };

const InviteForm = ({ onClose, onDone }: InviteFormProps) => {
  const { sandbox_ids: own } = useMe();
  const initial: RoleGrant = { role: 'viewer', sandbox_ids: own ? [...own] : undefined };
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { email: '', grant: initial },
    validate: {
      email: (email) => (/^\S+@\S+$/.test(email.trim()) ? null : 'Type an e-mail address.'),
      grant: ({ sandbox_ids }) => checkScope(sandbox_ids),
    },
    send: async ({ email, grant }) => {
      const made = await api.people.invite.mutate({ email: email.trim(), ...grant });
      void queryClient.invalidateQueries({ queryKey: trpc.people.pathKey() });
      return { ...made, email: email.trim() };
    },
    onDone,
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormError error={error} fields={['email']} />
        <TextInput
          data-autofocus
          label="E-mail"
          description="They sign in with it. Muster sends no mail: you hand over the link."
          type="email"
          {...form.getInputProps('email')}
        />
        <GrantFields
          value={form.values.grant}
          error={form.errors.grant as string | undefined}
          onChange={(grant) => form.setFieldValue('grant', grant)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending}>
            Make the link
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

const InviteLink = ({ invited, onClose }: { invited: Invited; onClose: () => void }) => (
  <Stack gap="sm">
    <Alert color="yellow" title="Copy it now">
      The link is shown only here. Whoever opens it first becomes {invited.email}.
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

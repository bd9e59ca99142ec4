import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { SecretBox } from '../../features/accounts/secret-box.tsx';
import type { Person } from './person-row.ts';

/** Gives a one-time password, which is shown once and must be changed at the next sign-in. */
export const ResetPasswordDialog = ({
  person,
  onClose,
}: {
  person: Person;
  onClose: () => void;
}) => {
  const reset = useMutation({
    mutationFn: () => api.people.resetPassword.mutate({ account_id: person.account_id }),
  });
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={!reset.data}
      title={reset.data ? 'One-time password' : `Reset the password of ${person.name}?`}
    >
      {reset.data ? (
        <Stack gap="sm">
          <Alert color="yellow" title="Copy it now">
            It is shown only here. With it, {person.name} signs in and chooses a new password.
          </Alert>
          <SecretBox label="password" secret={reset.data.one_time_password} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap="sm">
          <FormError error={reset.error} fields={[]} />
          <Text>
            You get a one-time password to hand over. The old password stops working, and every
            sign-in of {person.name} ends.
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              color="red"
              data-autofocus
              loading={reset.isPending}
              onClick={() => reset.mutate()}
            >
              Reset password
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
};

import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useServerForm } from '../../../components/forms/use-server-form.ts';
import { AttemptError } from '../../../features/accounts/attempt-error.tsx';
import { useWait } from '../../../features/accounts/use-wait.ts';

type PasswordStepProps<Answer> = {
  says: string;
  action: string;
  isDestructive?: boolean;
  send: (password: string) => Promise<Answer>;
  onDone: (answer: Answer) => void;
  onClose: () => void;
};

/** Whatever changes the second factor asks for the password first. */
export const PasswordStep = <Answer,>(props: PasswordStepProps<Answer>) => {
  const { says, action, isDestructive, send, onDone, onClose } = props;
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { password: '' },
    validate: { password: (password) => (password === '' ? 'Type your password.' : null) },
    send: ({ password }) => send(password),
    onDone,
  });
  const wait = useWait(error);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text>{says}</Text>
        <AttemptError error={error} fields={['password']} waitSeconds={wait} />
        <PasswordInput
          data-autofocus
          label="Your password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          {...form.getInputProps('password')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={isDestructive ? 'red' : undefined}
            loading={isSending}
            disabled={wait > 0}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

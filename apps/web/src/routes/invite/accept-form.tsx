import { Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { queryClient } from '../../api/query-client.ts';
import type { ApiOutputs } from '../../api/trpc.ts';
import { api } from '../../api/trpc.ts';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { TimeText } from '../../components/time/time-text.tsx';
import { AttemptError } from '../../features/accounts/attempt-error.tsx';
import { checkPassword, PASSWORD_HINT } from '../../features/accounts/password-rules.ts';
import { postAuth } from '../../features/accounts/post-auth.ts';
import { ROLE_WORDS } from '../../features/accounts/role-words.ts';
import { useFirstFocus } from '../../features/accounts/use-first-focus.ts';
import { useWait } from '../../features/accounts/use-wait.ts';

type AcceptFormProps = {
  token: string;
  invitation: ApiOutputs['invitations']['get'];
};

export const AcceptForm = ({ token, invitation }: AcceptFormProps) => {
  const { email, role, expires } = invitation;
  const { history } = useRouter();
  const first = useFirstFocus();
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { name: '', password: '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Type your name, as colleagues know you.' : null),
      password: checkPassword,
    },
    send: async ({ name, password }) => {
      await api.invitations.accept.mutate({ token, name: name.trim(), password });
      // The account exists now. Should this fail, the page of sign-in is the way on.
      await postAuth('/sign-in/email', { email, password }).catch(() => {});
    },
    onDone: () => {
      queryClient.clear();
      history.replace('/');
    },
  });
  const wait = useWait(error);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text size="sm">
          You were invited as <strong>{ROLE_WORDS[role].label.toLowerCase()}</strong>.{' '}
          {ROLE_WORDS[role].says}
        </Text>
        <AttemptError error={error} fields={['name', 'password']} waitSeconds={wait} />
        <TextInput label="E-mail" value={email} readOnly autoComplete="username" />
        <TextInput
          ref={first}
          label="Your name"
          autoComplete="name"
          maxLength={128}
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label="Password"
          description={PASSWORD_HINT}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="sm" loading={isSending} disabled={wait > 0}>
          Make my account
        </Button>
        <Text size="xs" c="dimmed">
          The invitation ends <TimeText at={expires} />.
        </Text>
      </Stack>
    </form>
  );
};

import { Button, Checkbox, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { AttemptError } from '../../features/accounts/attempt-error.tsx';
import { postAuth } from '../../features/accounts/post-auth.ts';
import { useFirstFocus } from '../../features/accounts/use-first-focus.ts';
import { useWait } from '../../features/accounts/use-wait.ts';

type PasswordFormProps = {
  onDone: (answer: { password: string; needsSecondFactor: boolean }) => unknown;
};

const FIELDS = ['email', 'password'];

export const PasswordForm = ({ onDone }: PasswordFormProps) => {
  const first = useFirstFocus();
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { email: '', password: '', rememberMe: true },
    validate: {
      email: (email) => (email.trim() === '' ? 'Type the e-mail address of your account.' : null),
      password: (password) => (password === '' ? 'Type your password.' : null),
    },
    send: (values) => postAuth<{ twoFactorRedirect?: boolean }>('/sign-in/email', values),
    onDone: ({ twoFactorRedirect }, { password }) =>
      onDone({ password, needsSecondFactor: twoFactorRedirect === true }),
  });
  const wait = useWait(error);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <AttemptError error={error} fields={FIELDS} waitSeconds={wait} />
        <TextInput
          ref={first}
          label="E-mail"
          type="email"
          name="email"
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': 'Show the password' }}
          {...form.getInputProps('password')}
        />
        <Checkbox
          label="Stay signed in on this device"
          {...form.getInputProps('rememberMe', { type: 'checkbox' })}
        />
        <Button type="submit" size="sm" loading={isSending} disabled={wait > 0}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
};

import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { signOut } from '../../access/sign-out.ts';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { AttemptError } from '../../features/accounts/attempt-error.tsx';
import { checkPassword, PASSWORD_HINT } from '../../features/accounts/password-rules.ts';
import { postAuth } from '../../features/accounts/post-auth.ts';
import { useFirstFocus } from '../../features/accounts/use-first-focus.ts';
import { useWait } from '../../features/accounts/use-wait.ts';

type FirstPasswordFormProps = {
  /** The one-time password where it was typed a moment ago. */
  current: string | undefined;
  onDone: () => unknown;
};

const SHOW = { 'aria-label': 'Show the password' };

/** A one-time password opens nothing but this form. */
export const FirstPasswordForm = ({ current, onDone }: FirstPasswordFormProps) => {
  const first = useFirstFocus();
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { currentPassword: current ?? '', newPassword: '' },
    validate: {
      currentPassword: (password) => (password === '' ? 'Type the one-time password.' : null),
      newPassword: checkPassword,
    },
    send: (values) => postAuth('/change-password', values),
    onDone: () => onDone(),
  });
  const wait = useWait(error);
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          You signed in with a one-time password. Choose one of your own; only you will know it.
        </Text>
        <AttemptError
          error={error}
          fields={['currentPassword', 'newPassword']}
          waitSeconds={wait}
        />
        {current === undefined && (
          <PasswordInput
            label="One-time password"
            autoComplete="current-password"
            visibilityToggleButtonProps={SHOW}
            {...form.getInputProps('currentPassword')}
          />
        )}
        <PasswordInput
          ref={first}
          label="New password"
          description={PASSWORD_HINT}
          autoComplete="new-password"
          visibilityToggleButtonProps={SHOW}
          {...form.getInputProps('newPassword')}
        />
        <Button type="submit" size="sm" loading={isSending} disabled={wait > 0}>
          Save and continue
        </Button>
        <Button variant="subtle" color="gray" onClick={signOut}>
          Sign out
        </Button>
      </Stack>
    </form>
  );
};

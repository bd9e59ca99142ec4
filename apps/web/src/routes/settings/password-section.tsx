import { Button, PasswordInput, Stack } from '@mantine/core';
import { queryClient } from '../../api/query-client.ts';
import { trpc } from '../../api/trpc.ts';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { notifyDone } from '../../components/notify.ts';
import { AttemptError } from '../../features/accounts/attempt-error.tsx';
import { checkPassword, PASSWORD_HINT } from '../../features/accounts/password-rules.ts';
import { postAuth } from '../../features/accounts/post-auth.ts';
import { useWait } from '../../features/accounts/use-wait.ts';
import { SettingsSection } from './settings-section.tsx';

const FIELDS = ['currentPassword', 'newPassword'];

export const PasswordSection = () => {
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: (password) => (password === '' ? 'Type your current password.' : null),
      newPassword: checkPassword,
    },
    send: (values) => postAuth('/change-password', values),
    onDone: () => {
      form.reset();
      void queryClient.invalidateQueries({ queryKey: trpc.me.signIns.pathKey() });
      notifyDone('Your password is changed; you are signed out everywhere else.');
    },
  });
  const wait = useWait(error);
  return (
    <SettingsSection title="Password" says="A new password ends your sign-ins everywhere else.">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={280}>
          <AttemptError error={error} fields={FIELDS} waitSeconds={wait} />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the current password' }}
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label="New password"
            description={PASSWORD_HINT}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
            {...form.getInputProps('newPassword')}
          />
          <Button
            type="submit"
            variant="default"
            mr="auto"
            loading={isSending}
            disabled={wait > 0 || !form.isDirty()}
          >
            Change password
          </Button>
        </Stack>
      </form>
    </SettingsSection>
  );
};

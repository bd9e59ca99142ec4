import { Button, Checkbox, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { postAuth, signOut } from '../../api/me.ts';
import { checkPassword, PASSWORD_HINT, useAttemptForm, useFirstFocus } from './attempts.tsx';

type PasswordFormProps = {
  onDone: (answer: { password: string; needsSecondFactor: boolean }) => unknown;
};

export const PasswordForm = ({ onDone }: PasswordFormProps) => {
  const first = useFirstFocus();
  const { form, submit, isSending, isWaiting, failure } = useAttemptForm({
    initialValues: { email: '', password: '', rememberMe: true },
    validate: {
      email: (email) => (email.trim() === '' ? 'Enter the e-mail address of your account.' : null),
      password: (password) => (password === '' ? 'Enter your password.' : null),
    },
    send: (values) => postAuth<{ twoFactorRedirect?: boolean }>('/sign-in/email', values),
    onDone: ({ twoFactorRedirect }, { password }) =>
      onDone({ password, needsSecondFactor: twoFactorRedirect === true }),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {failure}
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
          {...form.getInputProps('password')}
        />
        <Checkbox
          label="Stay signed in on this device"
          {...form.getInputProps('rememberMe', { type: 'checkbox' })}
        />
        <Button type="submit" size="sm" loading={isSending} disabled={isWaiting}>
          Sign in
        </Button>
      </Stack>
    </form>
  );
};

type SecondFactorFormProps = { onDone: () => unknown; onBack: () => void };

const KINDS = {
  code: {
    path: '/two-factor/verify-totp',
    label: 'Code',
    description: 'Your authenticator app shows six digits for Muster.',
    other: 'Use a backup code',
  },
  backup: {
    path: '/two-factor/verify-backup-code',
    label: 'Backup code',
    description: 'One of the codes that you kept when you set up the second step. Each works once.',
    other: 'Use the authenticator app',
  },
} as const;

export const SecondFactorForm = ({ onDone, onBack }: SecondFactorFormProps) => {
  const [kind, setKind] = useState<keyof typeof KINDS>('code');
  const { path, label, description, other } = KINDS[kind];
  const first = useFirstFocus();
  const { form, submit, isSending, isWaiting, failure } = useAttemptForm({
    initialValues: { code: '', trustDevice: false },
    validate: { code: (code) => (code.trim() === '' ? 'Enter the code.' : null) },
    send: ({ code, trustDevice }) =>
      postAuth(path, { code: code.replaceAll(/\s/g, ''), trustDevice }),
    onDone: () => onDone(),
  });
  const change = () => {
    setKind(kind === 'code' ? 'backup' : 'code');
    form.reset();
    first.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {failure}
        <Text c="dimmed" size="sm">
          {description}
        </Text>
        <TextInput
          ref={first}
          label={label}
          inputMode={kind === 'code' ? 'numeric' : 'text'}
          autoComplete="one-time-code"
          {...form.getInputProps('code')}
        />
        <Checkbox
          label="Skip this step on this device from now on"
          {...form.getInputProps('trustDevice', { type: 'checkbox' })}
        />
        <Button type="submit" size="sm" loading={isSending} disabled={isWaiting}>
          Continue
        </Button>
        <Group justify="space-between" gap="xs">
          <Button variant="subtle" onClick={change}>
            {other}
          </Button>
          <Button variant="subtle" color="gray" onClick={onBack}>
            Start over
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

type FirstPasswordFormProps = {
  /** The one-time password that was typed in the previous step. */
  current: string | undefined;
  onDone: () => unknown;
};

/** A one-time password only gives access to this form. */
export const FirstPasswordForm = ({ current, onDone }: FirstPasswordFormProps) => {
  const first = useFirstFocus();
  const { form, submit, isSending, isWaiting, failure } = useAttemptForm({
    initialValues: { currentPassword: current ?? '', newPassword: '' },
    validate: {
      currentPassword: (password) => (password === '' ? 'Enter the one-time password.' : null),
      newPassword: checkPassword,
    },
    send: (values) => postAuth('/change-password', values),
    onDone: () => onDone(),
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          You signed in with a one-time password. Choose one of your own; only you will know it.
        </Text>
        {failure}
        {current === undefined && (
          <PasswordInput
            label="One-time password"
            autoComplete="current-password"
            {...form.getInputProps('currentPassword')}
          />
        )}
        <PasswordInput
          ref={first}
          label="New password"
          description={PASSWORD_HINT}
          autoComplete="new-password"
          {...form.getInputProps('newPassword')}
        />
        <Button type="submit" size="sm" loading={isSending} disabled={isWaiting}>
          Save and continue
        </Button>
        <Button variant="subtle" color="gray" onClick={signOut}>
          Sign out
        </Button>
      </Stack>
    </form>
  );
};

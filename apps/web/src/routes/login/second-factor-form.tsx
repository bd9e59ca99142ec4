import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { AttemptError } from '../../features/accounts/attempt-error.tsx';
import { postAuth } from '../../features/accounts/post-auth.ts';
import { useFirstFocus } from '../../features/accounts/use-first-focus.ts';
import { useWait } from '../../features/accounts/use-wait.ts';

type SecondFactorFormProps = { onDone: () => unknown; onBack: () => void };

const KINDS = {
  code: {
    path: '/two-factor/verify-totp',
    label: 'Code',
    says: 'Your authenticator app shows six digits for Muster.',
    other: 'Use a backup code',
  },
  backup: {
    path: '/two-factor/verify-backup-code',
    label: 'Backup code',
    says: 'One of the codes that you kept when you set up the second step. Each works once.',
    other: 'Use the authenticator app',
  },
} as const;

export const SecondFactorForm = ({ onDone, onBack }: SecondFactorFormProps) => {
  const [kind, setKind] = useState<keyof typeof KINDS>('code');
  const { path, label, says, other } = KINDS[kind];
  const first = useFirstFocus();
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { code: '', trustDevice: false },
    validate: { code: (code) => (code.trim() === '' ? 'Type the code.' : null) },
    send: ({ code, trustDevice }) =>
      postAuth(path, { code: code.replaceAll(/\s/g, ''), trustDevice }),
    onDone: () => onDone(),
  });
  const wait = useWait(error);
  const change = () => {
    setKind(kind === 'code' ? 'backup' : 'code');
    form.reset();
    first.current?.focus();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <AttemptError error={error} fields={['code']} waitSeconds={wait} />
        <Text c="dimmed" size="sm">
          {says}
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
        <Button type="submit" size="sm" loading={isSending} disabled={wait > 0}>
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

import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useServerForm } from '../../../components/forms/use-server-form.ts';
import { AttemptError } from '../../../features/accounts/attempt-error.tsx';
import { postAuth } from '../../../features/accounts/post-auth.ts';
import { SecretBox } from '../../../features/accounts/secret-box.tsx';
import { useFirstFocus } from '../../../features/accounts/use-first-focus.ts';
import { useWait } from '../../../features/accounts/use-wait.ts';

const QrCode = lazy(() => import('./qr-code.tsx').then((m) => ({ default: m.QrCode })));

type ProofStepProps = { uri: string; onDone: () => void; onClose: () => void };

export const ProofStep = ({ uri, onDone, onClose }: ProofStepProps) => {
  const first = useFirstFocus();
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? 'Type the code of the app.' : null) },
    send: ({ code }) => postAuth('/two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') }),
    onDone,
  });
  const wait = useWait(error);
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text>Scan this with an authenticator app, then type the six digits that it shows.</Text>
        <Suspense>
          <QrCode text={uri} label="QR code for the authenticator app" />
        </Suspense>
        <Text size="xs" c="dimmed">
          No camera? Type this key into the app:
        </Text>
        <SecretBox label="key" secret={secret} />
        <AttemptError error={error} fields={['code']} waitSeconds={wait} />
        <TextInput
          ref={first}
          data-autofocus
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          {...form.getInputProps('code')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending} disabled={wait > 0}>
            Switch it on
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

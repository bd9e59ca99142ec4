import { Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import type { QueryKey } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { meOptions, postAuth, useMe } from '../../api/me.ts';
import { notifyDone } from '../../api/notify.ts';
import { SecretBox } from '../../ui/copyable.tsx';
import { DialogForm } from '../../ui/dialogs.tsx';
import { Tag } from '../../ui/facts.tsx';
import { SettingsSection } from '../../ui/page.tsx';
import { useAttemptForm, useFirstFocus } from './attempts.tsx';

export const TwoFactorSection = () => {
  const { two_factor_enabled: isOn } = useMe();
  const [open, setOpen] = useState<'enable' | 'codes' | 'disable' | null>(null);
  const close = () => setOpen(null);
  const finish = (message: string) => {
    notifyDone(message);
    close();
  };
  return (
    <SettingsSection
      title="Second factor"
      description="After the password, a code from an authenticator app on your phone. A stolen password alone is then not enough."
    >
      <Group gap="xs">
        {isOn ? (
          <>
            <Tag tone="good">on</Tag>
            <Button variant="default" onClick={() => setOpen('codes')}>
              New backup codes
            </Button>
            <Button variant="default" onClick={() => setOpen('disable')}>
              Switch off
            </Button>
          </>
        ) : (
          <>
            <Tag>off</Tag>
            <Button onClick={() => setOpen('enable')}>Set it up</Button>
          </>
        )}
      </Group>
      {open === 'enable' && (
        <EnableDialog onClose={close} onDone={() => finish('The second factor is on.')} />
      )}
      {open === 'codes' && <BackupCodesDialog onClose={close} />}
      {open === 'disable' && (
        <DisableDialog onClose={close} onDone={() => finish('The second factor is off.')} />
      )}
    </SettingsSection>
  );
};

type EnableDialogProps = { onClose: () => void; onDone: () => void };
type Prepared = { totpURI: string; backupCodes: string[] };

/** Sets up a second factor in three steps: the password, a code of the app as proof, the backup codes. */
const EnableDialog = ({ onClose, onDone }: EnableDialogProps) => {
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  const [isProven, setProven] = useState(false);
  return (
    <Modal
      opened
      // Once verified, it is on, so the dialog must not close before the codes are saved.
      onClose={isProven ? onDone : onClose}
      closeOnClickOutside={prepared === null}
      title={isProven ? 'Keep these backup codes' : 'Set up the second factor'}
    >
      {prepared === null && (
        <PasswordStep
          description="First, confirm that it is you."
          action="Continue"
          send={(password) => postAuth<Prepared>('/two-factor/enable', { password })}
          onDone={setPrepared}
          onClose={onClose}
        />
      )}
      {prepared && !isProven && (
        <ProofStep uri={prepared.totpURI} onDone={() => setProven(true)} onClose={onClose} />
      )}
      {prepared && isProven && <BackupCodes codes={prepared.backupCodes} onClose={onDone} />}
    </Modal>
  );
};

const BackupCodesDialog = ({ onClose }: { onClose: () => void }) => {
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={codes === null}
      title={codes ? 'Keep these backup codes' : 'New backup codes'}
    >
      {codes ? (
        <BackupCodes codes={codes} onClose={onClose} />
      ) : (
        <PasswordStep
          description="The codes that you have now stop working."
          action="Create new codes"
          send={(password) =>
            postAuth<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', { password })
          }
          onDone={({ backupCodes }) => setCodes(backupCodes)}
          onClose={onClose}
        />
      )}
    </Modal>
  );
};

type DisableDialogProps = { onClose: () => void; onDone: () => void };

const DisableDialog = ({ onClose, onDone }: DisableDialogProps) => (
  <Modal opened onClose={onClose} title="Turn off the second factor?">
    <PasswordStep
      description="Your password alone is then enough to sign in."
      action="Turn off"
      isDestructive
      send={(password) => postAuth('/two-factor/disable', { password })}
      invalidates={[meOptions.queryKey]}
      onDone={onDone}
      onClose={onClose}
    />
  </Modal>
);

type PasswordStepProps<Answer> = {
  description: string;
  action: string;
  isDestructive?: boolean;
  send: (password: string) => Promise<Answer>;
  invalidates?: readonly QueryKey[];
  onDone: (answer: Answer) => void;
  onClose: () => void;
};

/** Every change of the second factor requires the password first. */
const PasswordStep = <Answer,>(props: PasswordStepProps<Answer>) => {
  const { description, send, invalidates, onDone, ...buttons } = props;
  const server = useAttemptForm({
    initialValues: { password: '' },
    validate: { password: (password) => (password === '' ? 'Enter your password.' : null) },
    send: ({ password }) => send(password),
    invalidates,
    onDone,
  });
  return (
    <DialogForm {...buttons} server={server}>
      <Text>{description}</Text>
      <PasswordInput
        data-autofocus
        label="Your password"
        autoComplete="current-password"
        {...server.form.getInputProps('password')}
      />
    </DialogForm>
  );
};

const QrCode = lazy(() => import('./qr-code.tsx').then((m) => ({ default: m.QrCode })));

type ProofStepProps = { uri: string; onDone: () => void; onClose: () => void };

const ProofStep = ({ uri, onDone, onClose }: ProofStepProps) => {
  const first = useFirstFocus();
  const server = useAttemptForm({
    initialValues: { code: '' },
    validate: { code: (code) => (code.trim() === '' ? 'Enter the code from the app.' : null) },
    send: ({ code }) => postAuth('/two-factor/verify-totp', { code: code.replaceAll(/\s/g, '') }),
    invalidates: [meOptions.queryKey],
    onDone,
  });
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  return (
    <DialogForm server={server} action="Turn on" onClose={onClose}>
      <Text>Scan this with an authenticator app, then type the six digits that it shows.</Text>
      <Suspense>
        <QrCode text={uri} label="QR code for the authenticator app" />
      </Suspense>
      <Text size="xs" c="dimmed">
        No camera? Type this key into the app:
      </Text>
      <SecretBox label="key" secret={secret} />
      <TextInput
        ref={first}
        data-autofocus
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        {...server.form.getInputProps('code')}
      />
    </DialogForm>
  );
};

type BackupCodesProps = { codes: readonly string[]; onClose: () => void };

const BackupCodes = ({ codes, onClose }: BackupCodesProps) => (
  <Stack gap="sm">
    <Text>
      Without your phone, each of these codes works once as the second step. They are shown only
      now: keep them where you keep passwords.
    </Text>
    <SecretBox label="codes" secret={codes.join('\n')} />
    <Group justify="flex-end">
      <Button onClick={onClose}>I have kept them</Button>
    </Group>
  </Stack>
);

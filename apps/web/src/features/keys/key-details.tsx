// The details of one key, and its actions.
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api, trpc } from '../../api/client.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { Facts, Tag } from '../../ui/facts.tsx';
import { describePermission } from '../../ui/permission-labels.ts';
import { TimeText, useNow } from '../../ui/time.tsx';
import { AccountName } from '../accounts/account-name.tsx';
import { SandboxNames } from '../accounts/sandbox-scope.tsx';
import { RotateDialog } from './key-dialogs.tsx';
import type { Account, Key, KeyRow } from './key-rows.ts';
import { readState } from './key-rows.ts';
import { KeyUse } from './key-use.tsx';

type KeyDetailsProps = { row: KeyRow; onClose: () => void; onNewKey: () => void };

export const KeyDetails = ({ row, onClose, onNewKey }: KeyDetailsProps) => {
  const { account, key } = row;
  const [open, setOpen] = useState<'rotate' | 'revoke' | 'remove' | null>(null);
  const close = () => setOpen(null);
  const isActive = key !== undefined && readState(key) === 'active';
  return (
    <>
      <Modal opened={open === null} onClose={onClose} size="lg" title={key?.name ?? account.name}>
        <Stack gap="md">
          <Facts
            facts={{
              'Service account': <AccountName id={account.account_id} />,
              'Account id': <CopyableId id={account.account_id} label="account id" />,
              ...(key && readFacts(key)),
            }}
          />
          {key ? (
            <div>
              <Text size="sm" fw={600} mb={4}>
                Permissions
              </Text>
              <List size="sm" spacing={2}>
                {key.permissions.map((name) => (
                  <List.Item key={name}>
                    {describePermission(name)} <code className="mono">{name}</code>
                  </List.Item>
                ))}
              </List>
            </div>
          ) : (
            <Text c="dimmed">This service account has no key yet.</Text>
          )}
          {key && <KeyUse keyId={key.key_id} />}
          <Group justify="space-between" gap="xs">
            <Button variant="subtle" color="red" onClick={() => setOpen('remove')}>
              Remove the service account
            </Button>
            <Group gap="xs">
              {isActive && (
                <>
                  <Button variant="default" onClick={() => setOpen('revoke')}>
                    Revoke
                  </Button>
                  <Button onClick={() => setOpen('rotate')}>Rotate</Button>
                </>
              )}
              {!isActive && <Button onClick={onNewKey}>New key for it</Button>}
            </Group>
          </Group>
        </Stack>
      </Modal>
      {key && open === 'rotate' && <RotateDialog value={key} onClose={close} />}
      {key && <RevokeDialog opened={open === 'revoke'} value={key} onClose={close} />}
      <RemoveAccountDialog
        opened={open === 'remove'}
        account={account}
        onClose={close}
        onDone={onClose}
      />
    </>
  );
};

const readFacts = (key: Key): Record<string, React.ReactNode> => ({
  State: <KeyStateTag value={key} />,
  'Begins with': <code className="mono">{`${key.prefix}…`}</code>,
  Sandboxes: <SandboxNames ids={key.sandbox_ids} />,
  Made: <TimeText at={key.created} />,
  'Last used': key.last_used ? <TimeText at={key.last_used} /> : 'never',
  Expires: key.expires ? <TimeText at={key.expires} /> : 'never',
  Revoked: key.revoked && <TimeText at={key.revoked} />,
});

const TONES = { active: 'good', revoked: 'bad', expired: 'neutral' } as const;

export const KeyStateTag = ({ value }: { value: Key }) => {
  const state = readState(value, useNow());
  return <Tag tone={TONES[state]}>{state}</Tag>;
};

type RevokeDialogProps = { opened: boolean; value: Key; onClose: () => void };

const RevokeDialog = ({ opened, value, onClose }: RevokeDialogProps) => (
  <ConfirmDialog
    opened={opened}
    onClose={onClose}
    title={`Revoke "${value.name}"?`}
    action="Revoke"
    isDestructive
    onConfirm={() => api.keys.revoke.mutate({ key_id: value.key_id })}
    invalidates={[trpc.keys.pathKey()]}
    done="The key is revoked."
  >
    It stops working within five seconds. This cannot be undone; to change over without a gap,
    rotate it instead.
  </ConfirmDialog>
);

type RemoveAccountDialogProps = {
  opened: boolean;
  account: Account;
  onClose: () => void;
  onDone: () => void;
};

const RemoveAccountDialog = ({ account, ...dialog }: RemoveAccountDialogProps) => (
  <ConfirmDialog
    {...dialog}
    title={`Remove ${account.name}?`}
    action="Remove"
    isDestructive
    onConfirm={() => api.keys.removeAccount.mutate({ account_id: account.account_id })}
    invalidates={[trpc.keys.pathKey()]}
    done={`${account.name} is removed.`}
  >
    {account.keys.length > 0
      ? `Its ${account.keys.length === 1 ? 'key stops' : 'keys stop'} working.`
      : 'It has no key.'}{' '}
    What it did stays in histories and in the audit trail, under its name.
  </ConfirmDialog>
);

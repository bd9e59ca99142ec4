// Everything about one key, and what can be done with it.
import { Button, Group, List, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { AccountName } from '../../components/accounts/account-name.tsx';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { Facts } from '../../features/accounts/facts.tsx';
import { describePermission } from '../../features/accounts/permission-words.ts';
import { SandboxNames } from '../../features/accounts/sandbox-names.tsx';
import type { KeyRow } from './key-row.ts';
import { readState } from './key-row.ts';
import { KeyStateTag } from './key-state-tag.tsx';
import { RemoveAccountDialog } from './remove-account-dialog.tsx';
import { RevokeDialog } from './revoke-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

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
            facts={[
              ['Service account', <AccountName key="name" id={account.account_id} />],
              ['Account id', <CopyableId key="id" id={account.account_id} label="account id" />],
              ...(key ? listFacts(key) : []),
            ]}
          />
          {key ? (
            <div>
              <Text size="sm" fw={600} mb={4}>
                It may
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

const listFacts = (key: NonNullable<KeyRow['key']>): [string, React.ReactNode][] => [
  ['State', <KeyStateTag key="state" value={key} />],
  ['Begins with', <code key="prefix" className="mono">{`${key.prefix}…`}</code>],
  ['Sandboxes', <SandboxNames key="sandboxes" ids={key.sandbox_ids} />],
  ['Made', <TimeText key="created" at={key.created} />],
  ['Last used', key.last_used ? <TimeText key="used" at={key.last_used} /> : 'never'],
  ['Expires', key.expires ? <TimeText key="expires" at={key.expires} /> : 'never'],
  ...(key.revoked
    ? [['Revoked', <TimeText key="revoked" at={key.revoked} />] as [string, React.ReactNode]]
    : []),
];

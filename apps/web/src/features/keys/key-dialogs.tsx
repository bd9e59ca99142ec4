import {
  Alert,
  Button,
  Checkbox,
  Fieldset,
  Group,
  Input,
  Select,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { coversAll, narrowToSandboxes } from '@muster/contract';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { useSandboxes } from '../../api/sandboxes.ts';
import { SecretBox } from '../../ui/copyable.tsx';
import { Dialog, DialogForm, FormDialog } from '../../ui/dialogs.tsx';
import { useServerForm } from '../../ui/forms.tsx';
import { GRACE_PERIODS } from '../../ui/grace-periods.ts';
import type { KeyGrant } from '../../ui/permission-labels.ts';
import { isForKeys, PERMISSION_GROUPS } from '../../ui/permission-labels.ts';
import { checkScope, SandboxScope } from '../accounts/sandbox-scope.tsx';
import type { Account, Key } from './key-rows.ts';
import { writeSample } from './key-rows.ts';

type CreateAccountDialogProps = { onClose: () => void; onDone: (accountId: string) => void };

export const CreateAccountDialog = ({ onClose, onDone }: CreateAccountDialogProps) => {
  const server = useServerForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? 'Name the program that it is for.' : null) },
    send: ({ name }) => api.keys.createAccount.mutate({ name: name.trim() }),
    invalidates: [trpc.keys.pathKey()],
    onDone: ({ account_id }) => onDone(account_id),
  });
  const { form } = server;
  return (
    <FormDialog
      title="New service account"
      server={server}
      action="Create and continue to its key"
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="Name"
        description="The program that will use its keys: it signs changes with this name."
        placeholder="Game backend"
        maxLength={128}
        {...form.getInputProps('name')}
      />
    </FormDialog>
  );
};

type CreateKeyDialogProps = {
  accounts: readonly Account[];
  accountId?: string | undefined;
  onClose: () => void;
};

const LIFETIMES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'never', label: 'Never' },
];
/** Creates a key. The second page of the dialog shows it, once. */
export const CreateKeyDialog = ({ accounts, accountId, onClose }: CreateKeyDialogProps) => {
  const [made, setMade] = useState<ApiOutputs['keys']['create'] | null>(null);
  return (
    <Dialog
      opened
      size="lg"
      onClose={onClose}
      title={made ? 'Your new key' : 'New key'}
      closeOnClickOutside={false}
    >
      {made ? (
        <NewKey made={made} onClose={onClose} />
      ) : (
        <KeyForm accounts={accounts} accountId={accountId} onClose={onClose} onDone={setMade} />
      )}
    </Dialog>
  );
};

type KeyFormProps = CreateKeyDialogProps & {
  onDone: (made: ApiOutputs['keys']['create']) => void;
};

const KeyForm = ({ accounts, accountId, onClose, onDone }: KeyFormProps) => {
  const { sandbox_ids: own } = useMe();
  const server = useServerForm({
    initialValues: {
      account_id: accountId ?? accounts[0]?.account_id ?? '',
      name: '',
      permissions: [] as KeyGrant[],
      sandbox_ids: own ? [...own] : (undefined as string[] | undefined),
      life: '365',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter a name for the key.' : null),
      permissions: (names) => (names.length === 0 ? 'Choose at least one permission.' : null),
      sandbox_ids: checkScope,
    },
    send: ({ life, name, ...values }) =>
      api.keys.create.mutate({
        ...values,
        name: name.trim(),
        expires_in_days: life === 'never' ? undefined : Number(life),
      }),
    invalidates: [trpc.keys.pathKey()],
    onDone,
  });
  const { form } = server;
  const { permissions, sandbox_ids } = form.values;
  return (
    <DialogForm server={server} action="Create key" onClose={onClose}>
      <Select
        label="Service account"
        data={accounts.map((account) => ({ value: account.account_id, label: account.name }))}
        searchable={accounts.length > 8}
        {...form.getInputProps('account_id')}
      />
      <TextInput
        data-autofocus
        label="Name of the key"
        description="Where the key will be used, to recognize it later."
        placeholder="Live servers, Europe"
        maxLength={128}
        {...form.getInputProps('name')}
      />
      <PermissionChoice
        value={permissions}
        sandboxIds={sandbox_ids}
        error={form.errors.permissions}
        onChange={(next) => form.setFieldValue('permissions', next)}
      />
      <SandboxScope
        whose="the key"
        value={sandbox_ids}
        disabled={permissions.includes('*')}
        error={form.errors.sandbox_ids as string | undefined}
        onChange={(next) => form.setFieldValue('sandbox_ids', next)}
      />
      <Select label="Expires after" data={LIFETIMES} {...form.getInputProps('life')} />
    </DialogForm>
  );
};

/** Creates a second key with the same permissions. The old key remains valid for the chosen grace period. */
export const RotateDialog = ({ value, onClose }: { value: Key; onClose: () => void }) => {
  const [made, setMade] = useState<ApiOutputs['keys']['rotate'] | null>(null);
  const server = useServerForm({
    initialValues: { grace: '86400' },
    send: ({ grace }) =>
      api.keys.rotate.mutate({ key_id: value.key_id, grace_seconds: Number(grace) }),
    invalidates: [trpc.keys.pathKey()],
    onDone: setMade,
  });
  const { form } = server;
  return (
    <Dialog
      opened
      size="lg"
      onClose={onClose}
      closeOnClickOutside={made === null}
      title={made ? 'Your new key' : `Rotate "${value.name}"`}
    >
      {made ? (
        <NewKey made={made} onClose={onClose} />
      ) : (
        <DialogForm server={server} action="Rotate" onClose={onClose}>
          <Text>
            Makes a new key with the same permissions. Both keys work until the old one expires:
            give the new one to your program before then.
          </Text>
          <Select
            data-autofocus
            label="Old key expires"
            data={GRACE_PERIODS}
            {...form.getInputProps('grace')}
          />
        </DialogForm>
      )}
    </Dialog>
  );
};

type NewKeyProps = { made: ApiOutputs['keys']['create']; onClose: () => void };

/** Shows the new key. It cannot be shown again. */
const NewKey = ({ made, onClose }: NewKeyProps) => {
  const sandboxes = useSandboxes();
  const sandboxId = made.sandbox_ids?.[0] ?? sandboxes[0]?.sandbox_id;
  return (
    <Stack gap="sm">
      <Alert color="yellow" title="Copy it now">
        This is the only time that the key is shown. Keep it where your program reads its secrets.
      </Alert>
      <SecretBox label="key" secret={made.key} />
      <Text size="sm" fw={600}>
        Try it
      </Text>
      <SecretBox
        label="command"
        secret={writeSample({
          origin: window.location.origin,
          permissions: made.permissions,
          ...(sandboxId && { sandboxId }),
        })}
      />
      <Text size="xs" c="dimmed">
        The command reads the key from the variable MUSTER_KEY, so that it is not in your shell's
        history.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>I have kept it</Button>
      </Group>
    </Stack>
  );
};

type PermissionChoiceProps = {
  value: readonly KeyGrant[];
  onChange: (value: KeyGrant[]) => void;
  /** The sandboxes that the permissions apply to; undefined: all of them. */
  sandboxIds: readonly string[] | undefined;
  error: ReactNode;
};

/** Offers only permissions that the signed-in account has. */
const PermissionChoice = ({ value, onChange, sandboxIds, error }: PermissionChoiceProps) => {
  const { permissions: held } = useMe();
  const isOffered = (name: KeyGrant) => coversAll(held, narrowToSandboxes([name], sandboxIds));
  const groups = PERMISSION_GROUPS.map(({ title, permissions }) => ({
    title,
    permissions: permissions.flatMap(({ name, description }) =>
      isForKeys(name) && isOffered(name) ? [{ name, description }] : [],
    ),
  })).filter(({ permissions }) => permissions.length > 0);
  const toggle = (name: KeyGrant) =>
    onChange(value.includes(name) ? value.filter((other) => other !== name) : [...value, name]);
  return (
    <Fieldset legend="What it may do" variant="unstyled">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mt={4}>
        {groups.map(({ title, permissions }) => (
          <Stack gap={6} key={title}>
            <Text size="xs" c="dimmed" fw={600}>
              {title}
            </Text>
            {permissions.map(({ name, description }) => (
              <Checkbox
                key={name}
                label={description}
                description={<code className="mono">{name}</code>}
                checked={value.includes(name)}
                onChange={() => toggle(name)}
              />
            ))}
          </Stack>
        ))}
      </SimpleGrid>
      {error && (
        <Input.Error mt={6} role="alert">
          {error}
        </Input.Error>
      )}
    </Fieldset>
  );
};

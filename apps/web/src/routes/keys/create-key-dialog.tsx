// Makes a key; the second page of the dialog shows it, once.
import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../access/me.ts';
import { queryClient } from '../../api/query-client.ts';
import type { ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import type { Grant } from '../../features/accounts/permission-words.ts';
import { checkScope, SandboxScope } from '../../features/accounts/sandbox-scope.tsx';
import type { Account } from './key-row.ts';
import { NewKey } from './new-key.tsx';
import { PermissionChoice } from './permission-choice.tsx';

type CreateKeyDialogProps = {
  accounts: readonly Account[];
  accountId?: string | undefined;
  onClose: () => void;
};

const LIVES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: 'never', label: 'Never' },
];
const FIELDS = ['account_id', 'name', 'permissions', 'sandbox_ids', 'expires_in_days'];

export const CreateKeyDialog = ({ accounts, accountId, onClose }: CreateKeyDialogProps) => {
  const [made, setMade] = useState<ApiOutputs['keys']['create'] | null>(null);
  return (
    <Modal
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
    </Modal>
  );
};

type KeyFormProps = CreateKeyDialogProps & {
  onDone: (made: ApiOutputs['keys']['create']) => void;
};

const KeyForm = ({ accounts, accountId, onClose, onDone }: KeyFormProps) => {
  const { sandbox_ids: own } = useMe();
  const { form, submit, isSending, error } = useServerForm({
    initialValues: {
      account_id: accountId ?? accounts[0]?.account_id ?? '',
      name: '',
      permissions: [] as Grant[],
      sandbox_ids: own ? [...own] : (undefined as string[] | undefined),
      life: '365',
    },
    validate: {
      name: (name) => (name.trim() === '' ? 'Say what the key is for.' : null),
      permissions: (names) => (names.length === 0 ? 'Choose one permission at least.' : null),
      sandbox_ids: checkScope,
    },
    send: async ({ life, name, ...values }) => {
      const key = await api.keys.create.mutate({
        ...values,
        name: name.trim(),
        expires_in_days: life === 'never' ? undefined : Number(life),
      });
      void queryClient.invalidateQueries({ queryKey: trpc.keys.pathKey() });
      return key;
    },
    onDone,
  });
  const { permissions, sandbox_ids } = form.values;
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormError error={error} fields={FIELDS} />
        <Select
          label="Service account"
          data={accounts.map((account) => ({ value: account.account_id, label: account.name }))}
          searchable={accounts.length > 8}
          {...form.getInputProps('account_id')}
        />
        <TextInput
          data-autofocus
          label="Name of the key"
          description="Where it will be used, so that it is known again."
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
        <Select label="Expires after" data={LIVES} {...form.getInputProps('life')} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending}>
            Make key
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

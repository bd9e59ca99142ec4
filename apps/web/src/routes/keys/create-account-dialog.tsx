import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { queryClient } from '../../api/query-client.ts';
import { api, trpc } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';

type CreateAccountDialogProps = { onClose: () => void; onDone: (accountId: string) => void };

export const CreateAccountDialog = ({ onClose, onDone }: CreateAccountDialogProps) => {
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { name: '' },
    validate: { name: (name) => (name.trim() === '' ? 'Name the program that it is for.' : null) },
    send: async ({ name }) => {
      const made = await api.keys.createAccount.mutate({ name: name.trim() });
      await queryClient.invalidateQueries({ queryKey: trpc.keys.pathKey() });
      return made;
    },
    onDone: ({ account_id }) => onDone(account_id),
  });
  return (
    <Modal opened onClose={onClose} title="New service account">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <FormError error={error} fields={['name']} />
          <TextInput
            data-autofocus
            label="Name"
            description="The program that will use its keys: it signs changes with this name."
            placeholder="Game backend"
            maxLength={128}
            {...form.getInputProps('name')}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending}>
              Make it and go on to its key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};

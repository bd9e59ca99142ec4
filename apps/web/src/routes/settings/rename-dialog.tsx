import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import type { Sandbox } from '../../access/sandboxes.ts';
import { sandboxesOptions } from '../../access/sandboxes.ts';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { notifyDone } from '../../components/notify.ts';

type RenameDialogProps = { sandbox: Sandbox; onClose: () => void };

export const RenameDialog = ({ sandbox, onClose }: RenameDialogProps) => {
  const { sandbox_id, name, protected: isProtected } = sandbox;
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { name, confirm_sandbox_name: '' },
    validate: {
      name: (typed) => (typed.trim() === '' ? 'Type a name.' : null),
      confirm_sandbox_name: (typed) =>
        isProtected && typed !== name ? `Type "${name}" to confirm.` : null,
    },
    send: (values) =>
      api.sandboxes.update.mutate({
        sandbox_id,
        name: values.name.trim(),
        ...(isProtected && { confirm_sandbox_name: values.confirm_sandbox_name }),
      }),
    onDone: async () => {
      await queryClient.invalidateQueries({ queryKey: sandboxesOptions.queryKey });
      notifyDone('The sandbox is renamed.');
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Rename ${name}`}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <FormError error={error} fields={['name', 'confirm_sandbox_name']} />
          <TextInput
            data-autofocus
            label="New name"
            maxLength={256}
            {...form.getInputProps('name')}
          />
          {isProtected && (
            <Alert color="yellow" title={`${name} is protected`}>
              <TextInput
                label={`Type "${name}" to confirm`}
                autoComplete="off"
                {...form.getInputProps('confirm_sandbox_name')}
              />
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending} disabled={!form.isDirty('name')}>
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};

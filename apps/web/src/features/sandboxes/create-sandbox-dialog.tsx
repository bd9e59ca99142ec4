import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { sandboxesOptions } from '../../access/sandboxes.ts';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { notifyDone } from '../../components/notify.ts';

/** Makes a sandbox and leads into it. */
export const CreateSandboxDialog = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate();
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { name: '', isProduction: false },
    validate: { name: (name) => (name.trim() === '' ? 'Type a name.' : null) },
    send: async ({ name, isProduction }) => {
      const { sandbox_id } = await api.sandboxes.create.mutate({ name: name.trim() });
      if (isProduction) await api.sandboxes.update.mutate({ sandbox_id, protected: true });
      await queryClient.invalidateQueries({ queryKey: sandboxesOptions.queryKey });
      return sandbox_id;
    },
    onDone: (sandbox, { name }) => {
      notifyDone(`${name.trim()} is ready.`);
      onClose();
      void navigate({ to: '/s/$sandbox', params: { sandbox } });
    },
  });
  return (
    <Modal opened onClose={onClose} title="New sandbox">
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          <FormError error={error} fields={['name']} />
          <TextInput
            data-autofocus
            label="Name"
            description="One sandbox for each environment of the game."
            placeholder="Development"
            maxLength={256}
            {...form.getInputProps('name')}
          />
          <Checkbox
            label="Players play in it: protect it"
            description="Marked everywhere; deleting in it asks for its name."
            {...form.getInputProps('isProduction', { type: 'checkbox' })}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending}>
              Make sandbox
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};

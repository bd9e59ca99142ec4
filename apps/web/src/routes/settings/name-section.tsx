import { Button, Group, TextInput } from '@mantine/core';
import { meOptions, useMe } from '../../access/me.ts';
import { queryClient } from '../../api/query-client.ts';
import { api } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { notifyDone } from '../../components/notify.ts';
import { SettingsSection } from './settings-section.tsx';

export const NameSection = () => {
  const { name = '', email } = useMe();
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { name },
    validate: { name: (typed) => (typed.trim() === '' ? 'Type your name.' : null) },
    send: (values) => api.me.rename.mutate({ name: values.name.trim() }),
    onDone: async () => {
      await queryClient.invalidateQueries({ queryKey: meOptions.queryKey });
      form.resetDirty();
      notifyDone('Your name is changed.');
    },
  });
  return (
    <SettingsSection title="You" says={`You sign in as ${email}.`}>
      <form onSubmit={submit} noValidate>
        <FormError error={error} fields={['name']} />
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Name"
            w={280}
            maxLength={128}
            autoComplete="name"
            {...form.getInputProps('name')}
          />
          <Button type="submit" variant="default" loading={isSending} disabled={!form.isDirty()}>
            Save name
          </Button>
        </Group>
      </form>
    </SettingsSection>
  );
};

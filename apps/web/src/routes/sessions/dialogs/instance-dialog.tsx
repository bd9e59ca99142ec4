import { Button, Group, Modal, NativeSelect, Stack, TextInput } from '@mantine/core';
import { JoinStatus } from '@muster/contract';
import { api } from '../../../api/trpc.ts';
import { FormError } from '../../../components/forms/form-error.tsx';
import { useServerForm } from '../../../components/forms/use-server-form.ts';
import { makeUuid } from '../../../features/players/make-uuid.ts';
import { JOIN_STATUS_WORDS } from '../../../features/sessions/session-words.ts';
import type { SessionName } from '../live-session.ts';
import { useSessionChange } from '../live-session.ts';

type InstanceDialogProps = { opened: boolean; onClose: () => void; name: SessionName };

export const InstanceDialog = ({ opened, onClose, name }: InstanceDialogProps) => (
  <Modal opened={opened} onClose={onClose} title="Set the instance">
    <InstanceForm onClose={onClose} name={name} />
  </Modal>
);

const HOSTS = [
  { value: 'dedicated', label: 'Dedicated server' },
  { value: 'preallocated', label: 'Preallocated server' },
];
const STATES = JoinStatus.options.map((value) => ({
  value,
  label: `${JOIN_STATUS_WORDS[value]?.label}: ${JOIN_STATUS_WORDS[value]?.means}`,
}));

type Values = {
  instance_id: string;
  host_type: 'dedicated' | 'preallocated';
  join_status: JoinStatus;
  version: string;
};
const FIELDS = ['instance.instance_id', 'instance.host_type', 'instance.join_status'];

const toInstance = ({ version, ...values }: Values) => ({
  ...values,
  ...(version !== '' && { version }),
});

const InstanceForm = ({ onClose, name }: Omit<InstanceDialogProps, 'opened'>) => {
  const change = useSessionChange();
  const { form, submit, isSending, error } = useServerForm<{ instance: Values }, unknown>({
    initialValues: {
      instance: {
        instance_id: makeUuid(),
        host_type: 'dedicated',
        join_status: 'joinable',
        version: '',
      },
    },
    send: ({ instance }) =>
      change(api.sessions.setInstance.mutate({ ...name, instance: toInstance(instance) })),
    onDone: onClose,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FormError error={error} fields={[...FIELDS, 'instance.version']} />
        <TextInput
          label="Instance id"
          description="A new id is a new host. It stands for this one host for ever."
          {...form.getInputProps('instance.instance_id')}
        />
        <NativeSelect label="Host" data={HOSTS} {...form.getInputProps('instance.host_type')} />
        <NativeSelect label="State" data={STATES} {...form.getInputProps('instance.join_status')} />
        <TextInput
          label="Version"
          description="Clients must match it, by the rule of the session type. Empty: any client."
          placeholder="1.4.2"
          {...form.getInputProps('instance.version')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending}>
            Set the instance
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

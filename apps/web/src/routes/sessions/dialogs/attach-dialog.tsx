import { Button, Group, Modal, Stack } from '@mantine/core';
import { api } from '../../../api/trpc.ts';
import { FormError } from '../../../components/forms/form-error.tsx';
import { useServerForm } from '../../../components/forms/use-server-form.ts';
import type { SessionName } from '../live-session.ts';
import { useSessionChange } from '../live-session.ts';
import type { PlatformSessionValues } from './platform-session-fields.tsx';
import { newPlatformSession, PlatformSessionFields } from './platform-session-fields.tsx';

type AttachDialogProps = { opened: boolean; onClose: () => void; name: SessionName };

export const AttachDialog = ({ opened, onClose, name }: AttachDialogProps) => (
  <Modal opened={opened} onClose={onClose} title="Attach a platform session">
    <AttachForm onClose={onClose} name={name} />
  </Modal>
);

const FIELDS = ['platform', 'platform_session_type', 'platform_session_id_base64'];

const AttachForm = ({ onClose, name }: Omit<AttachDialogProps, 'opened'>) => {
  const change = useSessionChange();
  const { form, submit, isSending, error } = useServerForm<PlatformSessionValues, unknown>({
    initialValues: newPlatformSession(),
    send: (values) => change(api.sessions.addPlatformSession.mutate({ ...name, ...values })),
    onDone: onClose,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FormError error={error} fields={FIELDS} />
        <PlatformSessionFields form={form} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending}>
            Attach
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

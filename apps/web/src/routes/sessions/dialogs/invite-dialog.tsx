import { Button, Group, Modal, Radio, Stack } from '@mantine/core';
import { api } from '../../../api/trpc.ts';
import { FormError } from '../../../components/forms/form-error.tsx';
import { useServerForm } from '../../../components/forms/use-server-form.ts';
import { PlayerPicker } from '../../../features/players/player-picker.tsx';
import type { LiveSession } from '../live-session.ts';
import { useSessionChange } from '../live-session.ts';

type InviteDialogProps = {
  opened: boolean;
  onClose: () => void;
  session: LiveSession['session'];
  teamId: number;
};

export const InviteDialog = ({ opened, onClose, teamId, session }: InviteDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={`Hold a seat in team ${teamId}`}>
    <InviteForm onClose={onClose} teamId={teamId} session={session} />
  </Modal>
);

const FIELDS = ['player_uuid', 'status'];

type Values = { player_uuid: string; status: 'invited' | 'reserved' };

const InviteForm = ({ onClose, teamId, session }: Omit<InviteDialogProps, 'opened'>) => {
  const change = useSessionChange();
  const name = { type: session.type, session_id: session.session_id, team_id: teamId };
  const { form, submit, isSending, error } = useServerForm<Values, unknown>({
    initialValues: { player_uuid: '', status: 'invited' },
    validate: { player_uuid: (value) => (value === '' ? 'Choose a player.' : null) },
    send: (values) => change(api.sessions.invitePlayer.mutate({ ...name, ...values })),
    onDone: onClose,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FormError error={error} fields={FIELDS} />
        <PlayerPicker
          label="Player"
          description="Somebody who is not known yet is found by the UUID."
          isRequired
          autoFocus
          value={form.values.player_uuid}
          onChange={(player_uuid) => form.setFieldValue('player_uuid', player_uuid)}
          error={form.errors.player_uuid}
        />
        <Radio.Group label="Hold the seat as" {...form.getInputProps('status')}>
          <Group mt={6} gap="lg">
            <Radio value="invited" label="Invitation" />
            <Radio value="reserved" label="Reservation" />
          </Group>
        </Radio.Group>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending}>
            Hold the seat
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

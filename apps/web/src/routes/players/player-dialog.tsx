import { Button, Group, Modal, NumberInput, Stack, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, trpc } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { makeUuid } from '../../features/players/make-uuid.ts';
import { PLAYER_NAME_KEY } from '../../features/players/player-names.ts';

type Player = { player_uuid: string; player_id?: number; display_name?: string };

type PlayerDialogProps = {
  opened: boolean;
  onClose: () => void;
  /** Undefined for a new one. */
  player?: Player;
  onSaved?: (playerUuid: string) => void;
};

export const PlayerDialog = ({ opened, onClose, player, onSaved }: PlayerDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={player ? 'Edit player' : 'New player'}>
    <PlayerForm player={player} onClose={onClose} onSaved={onSaved} />
  </Modal>
);

const FIELDS = ['player_uuid', 'player_id', 'display_name'];

type Values = { player_uuid: string; player_id: number | string; display_name: string };

const toInput = ({ player_uuid, player_id, display_name }: Values) => ({
  player_uuid,
  ...(player_id !== '' && { player_id: Number(player_id) }),
  ...(display_name !== '' && { display_name }),
});

const PlayerForm = ({ player, onClose, onSaved }: Omit<PlayerDialogProps, 'opened'>) => {
  const client = useQueryClient();
  const { form, submit, isSending, error } = useServerForm<Values, Player>({
    initialValues: {
      player_uuid: player?.player_uuid ?? makeUuid(),
      player_id: player?.player_id ?? '',
      display_name: player?.display_name ?? '',
    },
    send: (values) => api.players.register.mutate(toInput(values)),
    onDone: async ({ player_uuid }) => {
      await client.invalidateQueries({ queryKey: trpc.players.pathKey() });
      await client.invalidateQueries({ queryKey: [PLAYER_NAME_KEY] });
      onClose();
      onSaved?.(player_uuid);
    },
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        <FormError error={error} fields={FIELDS} />
        <TextInput
          label="Name"
          description="Only shown here; games do not see it."
          data-autofocus
          {...form.getInputProps('display_name')}
        />
        {!player && <TextInput label="UUID" {...form.getInputProps('player_uuid')} />}
        <NumberInput
          label="Legacy id"
          description="An integer of an older system. Once given, it stays with this player."
          disabled={player?.player_id !== undefined}
          allowDecimal={false}
          {...form.getInputProps('player_id')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={isSending}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
};

import { NumberInput, TextInput } from '@mantine/core';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { useServerForm } from '../../ui/forms.tsx';
import { createUuid } from '../../ui/ids.ts';
import { PLAYER_NAME_KEY } from './player-name.tsx';

type Player = ApiOutputs['players']['register'];

type PlayerDialogProps = {
  onClose: () => void;
  /** Undefined for a new player. */
  player?: Player;
  onSaved?: (playerUuid: string) => void;
};

export const PlayerDialog = ({ player, onClose, onSaved }: PlayerDialogProps) => {
  const server = useServerForm({
    initialValues: {
      player_uuid: player?.player_uuid ?? createUuid(),
      player_id: player?.player_id ?? ('' as number | string),
      display_name: player?.display_name ?? '',
    },
    send: ({ player_uuid, player_id, display_name }) =>
      api.players.register.mutate({
        player_uuid,
        player_id: player_id === '' ? undefined : Number(player_id),
        display_name: display_name || undefined,
      }),
    invalidates: [trpc.players.pathKey(), [PLAYER_NAME_KEY]],
    onDone: ({ player_uuid }) => {
      onClose();
      onSaved?.(player_uuid);
    },
  });
  const { form } = server;
  return (
    <FormDialog
      title={player ? 'Edit player' : 'New player'}
      server={server}
      action="Save"
      onClose={onClose}
    >
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
    </FormDialog>
  );
};

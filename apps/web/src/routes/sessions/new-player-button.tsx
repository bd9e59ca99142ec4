import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ActionButton } from '../../access/action-button.tsx';
import { api, trpc } from '../../api/trpc.ts';
import { notifyError } from '../../components/notify.ts';
import { makeUuid } from '../../features/players/make-uuid.ts';

const MAY_REGISTER = ['player:*'] as const;

/** Joins in the name of others need a known player: a new one is registered first, under a name to be found by. */
export const NewPlayerButton = ({ onMade }: { onMade: (playerUuid: string) => void }) => {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => {
      const player_uuid = makeUuid();
      const display_name = `Test player ${player_uuid.slice(0, 4)}`;
      return api.players.register.mutate({ player_uuid, display_name });
    },
    onSuccess: ({ player_uuid }) => {
      void client.invalidateQueries({ queryKey: trpc.players.pathKey() });
      onMade(player_uuid);
    },
    onError: (error) => notifyError(error),
  });
  return (
    <ActionButton
      anyOf={MAY_REGISTER}
      variant="default"
      loading={isPending}
      onClick={() => mutate()}
    >
      New random player
    </ActionButton>
  );
};

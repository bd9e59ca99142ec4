// States about the player of a request: known to the service, or not.
import { Integer, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import { EXAMPLE_PLAYER_UUID } from './example-values.ts';
import { defineState } from './state-definition.ts';

const namesPlayer = { player_uuid: Uuid.default(EXAMPLE_PLAYER_UUID) };
const FROM_PATH = { player_uuid: 'player_uuid' };
const JOIN = ['joinByPlatformSession'] as const;

export const aKnownPlayer = defineState({
  name: 'a known player',
  description: 'The service knows the player, with the legacy id where one is given.',
  parameters: z.strictObject({
    ...namesPlayer,
    player_id: Integer.optional().meta({ description: 'Legacy id; echoed in the seat.' }),
    display_name: text(1, 128).optional(),
  }),
  fromPath: FROM_PATH,
  example: { player_uuid: EXAMPLE_PLAYER_UUID, player_id: 4711 },
  guarantees: [
    {
      operations: JOIN,
      paths: ['teams[*].players[*].player_id'],
      when: [{ given: 'player_id' }, { onlyPlayer: true }],
      because: 'The only player has a legacy id.',
    },
  ],
  echoes: [],
});

export const noSuchPlayer = defineState({
  name: 'no such player',
  description:
    'The service has never seen the player. A caller who acts for others gets 404 player_not_found; a self-join ' +
    'makes the player known.',
  parameters: z.strictObject(namesPlayer),
  fromPath: FROM_PATH,
  example: { player_uuid: EXAMPLE_PLAYER_UUID },
  guarantees: [],
  echoes: [],
});

// The state about who calls: the kit signs a token for each interaction, and this says which one.
import { Platform, text } from '@muster/contract';
import { z } from 'zod';
import { EXAMPLE_PLAYER_UUID } from './example-values.ts';
import { defineState } from './state-definition.ts';

export const CREDENTIALS = [
  'accepted',
  'missing',
  'not_jwt',
  'malformed',
  'bad_signature',
  'expired',
  'invalid_claim',
  'unknown_key',
] as const;

export const CallerParameters = z.strictObject({
  credential: z.enum(CREDENTIALS).default('accepted').meta({
    description:
      'What is wrong with the credential, if anything; all but accepted answer 403 with auth_success false.',
  }),
  sub: text(1, 128).optional().meta({
    description:
      'The account. When absent: the player of the path on a join, an account of the kit on a history.',
  }),
  permissions: z.array(text(1, 256)).max(100).optional().meta({
    description:
      'When absent: session:update-player:self on a join, sandbox:config:view on a history.',
  }),
  platform: Platform.optional().meta({
    description: "The token's platform; it wins over the one in the body.",
  }),
});

export const theCaller = defineState({
  name: 'the caller',
  description:
    'Who sends the request. Without it, a join is sent by the player of the path, a history is read by a viewer. A ' +
    'game backend is {"sub": "game-backend", "permissions": ["session:*"]}.',
  parameters: CallerParameters,
  fromPath: {},
  example: { sub: EXAMPLE_PLAYER_UUID, permissions: ['session:update-player:self'] },
  guarantees: [],
  echoes: [],
});

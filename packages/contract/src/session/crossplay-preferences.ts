import { z } from 'zod';

export const CrossplayPreferences = z
  .object({
    permitted_platform: z
      .enum([
        'desired_platforms_any',
        'desired_platforms_xboxlike',
        'desired_platforms_playstationlike',
      ])
      .meta({ description: 'xboxlike permits XboxLive only, playstationlike PSN only.' }),
    permitted_input: z
      .enum([
        'desired_inputs_any',
        'desired_inputs_keyboardandmouse',
        'desired_inputs_gamepad',
        'desired_inputs_touch',
      ])
      .meta({ description: 'The input devices that the player agrees to play against.' }),
  })
  .meta({
    id: 'CrossplayPreferences',
    description: 'Whom the player agrees to play with. When absent, as permissive as possible.',
    examples: [
      { permitted_platform: 'desired_platforms_any', permitted_input: 'desired_inputs_any' },
    ],
  });
export type CrossplayPreferences = z.infer<typeof CrossplayPreferences>;

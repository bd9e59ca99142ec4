import { z } from 'zod';
import { nullAsAbsent } from '../null-as-absent.ts';
import { findPlatformById, Platform, PlatformId } from '../platform.ts';
import { Integer } from '../strings.ts';

export const InputDevice = z.enum(['keyboardandmouse', 'gamepad', 'touch']).meta({
  id: 'InputDevice',
  description: 'How the player controls the game.',
});
export type InputDevice = z.infer<typeof InputDevice>;

/** Lets a rule run although other fields failed, so that every problem is listed at once. */
const isObject = ({ value }: { value: unknown }): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const hasKnownPlatform = (settings: { platform?: unknown; platform_id?: unknown }): boolean =>
  settings.platform !== undefined ||
  !Number.isSafeInteger(settings.platform_id) ||
  findPlatformById(Number(settings.platform_id)) !== null;

/** Client settings as a player states them; at least one of `platform` and `platform_id`. */
export const ClientSettingsInput = nullAsAbsent(
  z
    .object({
      platform_id: PlatformId.optional().meta({
        deprecated: true,
        description: 'Deprecated: send `platform`. Ignored when `platform` is given.',
      }),
      platform: Platform.optional(),
      input: InputDevice,
    })
    .refine((settings) => settings.platform !== undefined || settings.platform_id !== undefined, {
      path: ['platform'],
      error: 'At least one of platform and platform_id is required',
      params: { type: 'value_error.missing' },
      when: isObject,
    })
    .refine(hasKnownPlatform, {
      path: ['platform_id'],
      error: 'Unknown platform_id',
      params: { type: 'value_error.platform_id' },
      when: isObject,
    }),
).meta({
  id: 'ClientSettingsInput',
  description:
    'The platform and input device of the joining client. At least one of `platform` and `platform_id` is required.',
  examples: [{ platform: 'Steam', input: 'gamepad' }],
});
export type ClientSettingsInput = z.infer<typeof ClientSettingsInput>;

/** Client settings as a seat shows them: the platform is the resolved one. */
export const ClientSettings = z
  .object({
    platform_id: Integer.optional().meta({
      deprecated: true,
      description: 'Deprecated: read `platform`.',
    }),
    platform: Platform.optional(),
    input: InputDevice,
  })
  .meta({ id: 'ClientSettings', description: "The platform and input device of a seat's player." });
export type ClientSettings = z.infer<typeof ClientSettings>;

/** The platform that the settings name; the schema has made sure that there is one. */
export const resolvePlatform = (settings: ClientSettingsInput): Platform => {
  const platform =
    settings.platform ??
    (settings.platform_id === undefined ? null : findPlatformById(settings.platform_id));
  if (!platform) throw new TypeError('client settings without a platform passed validation');
  return platform;
};

export const PermittedPlatform = z
  .enum([
    'desired_platforms_any',
    'desired_platforms_xboxlike',
    'desired_platforms_playstationlike',
  ])
  .meta({
    id: 'PermittedPlatform',
    description:
      'The platforms that the player agrees to play with: xboxlike permits XboxLive only, playstationlike PSN only.',
  });

export const PermittedInput = z
  .enum([
    'desired_inputs_any',
    'desired_inputs_keyboardandmouse',
    'desired_inputs_gamepad',
    'desired_inputs_touch',
  ])
  .meta({
    id: 'PermittedInput',
    description: 'The input devices that the player agrees to play against.',
  });

export const CrossplayPreferences = z
  .object({
    permitted_platform: PermittedPlatform,
    permitted_input: PermittedInput,
  })
  .meta({
    id: 'CrossplayPreferences',
    description: 'Whom the player agrees to play with. When absent, as permissive as possible.',
    examples: [
      { permitted_platform: 'desired_platforms_any', permitted_input: 'desired_inputs_any' },
    ],
  });
export type CrossplayPreferences = z.infer<typeof CrossplayPreferences>;

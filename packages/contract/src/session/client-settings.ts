import { z } from 'zod';
import { findPlatformById, Platform } from '../platform.ts';
import { Integer } from '../strings.ts';

export const InputDevice = z.enum(['keyboardandmouse', 'gamepad', 'touch']).meta({
  id: 'InputDevice',
  description: 'How the player controls the game.',
});
export type InputDevice = z.infer<typeof InputDevice>;

const platformId = Integer.optional().meta({
  deprecated: true,
  description: 'Deprecated: send `platform`. Ignored when `platform` is given.',
});

/** Client settings as a player states them; at least one of `platform` and `platform_id`. */
export const ClientSettingsInput = z
  .object({ platform_id: platformId, platform: Platform.optional(), input: InputDevice })
  .check(({ value, issues }) => {
    if (value.platform !== undefined) return;
    const id = value.platform_id;
    if (id !== undefined && findPlatformById(id)) return;
    issues.push(
      id === undefined
        ? {
            code: 'custom',
            path: ['platform'],
            input: id,
            message: 'At least one of platform and platform_id is required',
            params: { type: 'value_error.missing' },
          }
        : {
            code: 'custom',
            path: ['platform_id'],
            input: id,
            message: 'Unknown platform_id',
            params: { type: 'value_error.platform_id' },
          },
    );
  })
  .meta({
    id: 'ClientSettingsInput',
    description: 'The platform and input device of the joining client.',
    examples: [{ platform: 'Steam', input: 'gamepad' }],
  });
export type ClientSettingsInput = z.infer<typeof ClientSettingsInput>;

/** Client settings as a seat shows them: the platform is the resolved one. */
export const ClientSettings = z
  .object({ platform_id: platformId, platform: Platform.optional(), input: InputDevice })
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

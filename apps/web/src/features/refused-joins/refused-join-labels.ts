// The choices of the filters: platforms and reasons in words.
import { ERROR_CATALOGUE, PLATFORMS, RECORDED_JOIN_ERROR_CODES } from '@muster/contract';

/** Names that players use, where the platform is called otherwise. */
const COMMON_NAMES: Readonly<Record<string, string>> = {
  PSN: 'PlayStation (PSN)',
  XboxLive: 'Xbox (XboxLive)',
  NintendoSwitch: 'Nintendo Switch',
  GooglePlay: 'Google Play',
};

/** Any text may have been sent as the platform. */
export const platformLabel = (platform: string): string =>
  Object.hasOwn(COMMON_NAMES, platform) ? (COMMON_NAMES[platform] ?? platform) : platform;

export const PLATFORM_CHOICES = PLATFORMS.map((value) => ({
  value,
  label: platformLabel(value),
}));

export const REASON_CHOICES = RECORDED_JOIN_ERROR_CODES.map((value) => ({
  value,
  label: value === 'input_invalid' ? 'The request is not valid.' : ERROR_CATALOGUE[value].desc,
}));

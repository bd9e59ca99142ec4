import type { SigningKeys } from '../auth/index.ts';
import type { Config } from '../config/index.ts';
import type { DemoExamples } from '../demo/index.ts';
import { makeSampleCredential } from './sample-credential.ts';
import { describeWelcome, PLACEHOLDERS } from './welcome.ts';

export type WelcomeParts = {
  config: Config;
  keys: SigningKeys;
  baseUrl: string;
  examples: DemoExamples | null;
};

/** The text of the welcome, with a fresh credential for the player of the sample join. */
export const composeWelcome = async (parts: WelcomeParts): Promise<string> => {
  const { config, keys, baseUrl, examples } = parts;
  const { playerUuid } = (examples ?? PLACEHOLDERS).join;
  const sample = await makeSampleCredential(config, keys, playerUuid);
  return describeWelcome({ baseUrl, examples, ...sample });
};

import type { FirstOwner } from '../accounts/index.ts';
import type { SigningKeys } from '../auth/index.ts';
import type { Config } from '../config/index.ts';
import type { DemoExamples } from '../demo/index.ts';
import { describeSignIn } from './describe-sign-in.ts';
import { makeSampleCredential } from './sample-credential.ts';
import { describeWelcome, PLACEHOLDERS } from './welcome.ts';

export type WelcomeParts = {
  config: Config;
  keys: SigningKeys;
  baseUrl: string;
  examples: DemoExamples | null;
  /** Null when somebody has signed in before. */
  owner: FirstOwner | null;
};

/** The text of the welcome, with a fresh credential for the player of the sample join. */
export const composeWelcome = async (parts: WelcomeParts): Promise<string> => {
  const { config, keys, baseUrl, examples, owner } = parts;
  const { playerUuid } = (examples ?? PLACEHOLDERS).join;
  const sample = await makeSampleCredential(config, keys, playerUuid);
  const signIn = await describeSignIn(config, owner, baseUrl);
  return describeWelcome({ baseUrl, signIn, examples, ...sample });
};

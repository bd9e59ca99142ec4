// Signs tokens of every kind that the cases need: good ones, stale ones, and ones that lie.
import type { JWTPayload } from 'jose';
import { SignJWT } from 'jose';
import { SkippedCase } from '../case.ts';
import type { TargetSettings } from './settings.ts';

export type Claims = JWTPayload & {
  permissions?: readonly string[];
  scope?: string;
  platform?: string;
};

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/**
 * A token as the service expects it: HS256, ten minutes of life, issuer and audience as configured.
 * A claim given as undefined is left out. Throws SkippedCase without a signing secret.
 */
export const mintToken = async (
  settings: TargetSettings,
  claims: Claims,
  secret: string | undefined = settings.secret,
): Promise<string> => {
  if (settings.secret === undefined || secret === undefined) {
    throw new SkippedCase('needs the signing secret (--secret)');
  }
  const { issuer: iss, audience: aud } = settings;
  const payload = {
    ...(iss && { iss }),
    ...(aud && { aud }),
    exp: nowInSeconds() + 600,
    ...claims,
  };
  return new SignJWT(withoutUndefined(payload))
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret));
};

const withoutUndefined = (payload: JWTPayload): JWTPayload =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));

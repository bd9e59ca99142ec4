import { randomUUID } from 'node:crypto';
import { signToken } from '../../src/auth/index.ts';

/** Of all service processes under test. */
export const SECRET = randomUUID() + randomUUID();

/** Longer than any clock is set ahead. */
const VALID_SECONDS = 3 * 24 * 60 * 60;

export const authorise = async (sub: string, permission: string): Promise<string> => {
  const claims = { sub, permissions: [permission] };
  const rules = { secret: SECRET, ttlSeconds: VALID_SECONDS, permissionsClaim: 'permissions' };
  return `Bearer ${await signToken(claims, rules)}`;
};

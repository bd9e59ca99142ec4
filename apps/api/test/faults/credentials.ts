import { randomUUID } from 'node:crypto';
import { signToken } from '../../src/auth/index.ts';

/** Of all service processes under test. */
export const SECRET = randomUUID() + randomUUID();

export const authorise = async (sub: string, permission: string): Promise<string> => {
  const claims = { sub, permissions: [permission] };
  const rules = { secret: SECRET, ttlSeconds: 3_600, permissionsClaim: 'permissions' };
  return `Bearer ${await signToken(claims, rules)}`;
};

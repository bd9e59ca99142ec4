import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { loadConfig } from '../platform/index.ts';
import { createToken } from './token.ts';
import { UsageError } from './usage-error.ts';

const config = loadConfig({ AUTH_JWT_SECRET: randomUUID() });
const usable = { sub: 'x', permissions: '*', ttl: '1h' };
const UUID = randomUUID();

it.each([
  [{ sub: undefined }, '--sub'],
  [{ permissions: undefined }, '--permissions'],
  [{ permissions: '' }, '--permissions names "": choose from *, session:*, '],
  [{ permissions: 'session:*,sesion:view' }, '--permissions names "sesion:view"'],
  [{ permissions: 'sandbox:production:config:view' }, '--permissions names "sandbox:production:'],
  [{ permissions: `sandbox:${UUID}:config:veiw` }, `--permissions names "sandbox:${UUID}:config:`],
  ...['5', '0s', '-1h', 'NaNh', '366d', '99999999h'].map((ttl): [object, string] => [
    { ttl },
    `--ttl ${ttl} is not a time from 1s to 365d`,
  ]),
  [{ platform: 'Ouya' }, '--platform'],
])('explains what is wrong with %j', async (wrong, sentence) => {
  const made = createToken({ ...usable, ...wrong }, config);
  await expect(made).rejects.toThrow(UsageError);
  await expect(made).rejects.toThrow(sentence);
});

it.each([
  `sandbox:${UUID}:config:view`,
  `sandbox:${UUID.replaceAll('-', '').toUpperCase()}:config:*`,
  `sandbox:${UUID}:*`,
  'sandbox:config:*',
  'sandbox:*, *',
  'session:view, key:*',
])('signs a token that permits %s', async (permissions) => {
  const token = await createToken({ ...usable, permissions }, config);
  const claims = JSON.parse(Buffer.from(`${token.split('.')[1]}`, 'base64url').toString());
  expect(claims.permissions).toEqual(permissions.split(', '));
});

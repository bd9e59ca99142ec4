import { expect, it, vi } from 'vitest';
import { createOidcDiscovery } from './oidc-issuer.ts';

const ISSUER = 'https://issuer.example';
const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/authorize`,
  token_endpoint: `${ISSUER}/token`,
  userinfo_endpoint: `${ISSUER}/userinfo`,
  jwks_uri: `${ISSUER}/keys`,
};

const discover = (metadata: Record<string, string>) => {
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(metadata));
  const config = {
    issuer: new URL(ISSUER),
    clientId: 'muster',
    clientSecret: 'a secret',
  };
  return createOidcDiscovery(config, 'https://muster.example/callback')();
};

it('accepts an issuer with https endpoints', async () => {
  expect(await discover(METADATA)).toHaveProperty('redeem');
});

it.each(['authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri'])(
  'refuses an https issuer whose %s has no https',
  async (name) => {
    const discovery = discover({ ...METADATA, [name]: 'http://issuer.example/endpoint' });
    await expect(discovery).rejects.toMatchObject({ code: 'issuer_unavailable' });
  },
);

// The log names the claim of a refused token and its fault. The response does not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noteSecrets } from '../suite-logs/suite-logs.ts';
import type { RefusalBed } from './refusal-bed.ts';
import { bearer, joinLine, sign, startRefusalBed } from './refusal-bed.ts';

const ROLES = 'realm_access.roles';
/** No log of a test run may contain it. */
const VALUE = 'a value of a claim that no log has';

let bed: RefusalBed;
beforeAll(async () => {
  noteSecrets(VALUE);
  bed = await startRefusalBed({}, { AUTH_PERMISSIONS_CLAIM: ROLES });
});
afterAll(() => bed.service.close());

it('accepts permissions of a claim inside of another one, as Keycloak sends them', async () => {
  const { lobby } = await bed.createSession();
  const roles = ['offline_access', 'session:update-player:self'];
  const claims = { permissions: undefined, realm_access: { roles } };
  expect(await bed.join({ lobby, claims })).toMatchObject({ status: 200 });
});

it('accepts permissions of the exact name, and ignores the path then', async () => {
  const { lobby } = await bed.createSession();
  const claims = { [ROLES]: 'session:update-player:self', realm_access: { roles: VALUE } };
  expect(await bed.join({ lobby, claims })).toMatchObject({ status: 200 });
});

describe('a refused token', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const notStrings = `The claim ${ROLES} is neither an array of strings nor a string.`;
  it.each([
    ['iss', 'The claim iss is missing.', { iss: undefined }],
    ['iss', 'The claim iss is not AUTH_ISSUER.', { iss: VALUE }],
    ['aud', 'The claim aud is missing.', { aud: undefined }],
    ['aud', 'The claim aud does not name AUTH_AUDIENCE.', { aud: [VALUE] }],
    ['exp', 'The claim exp is missing.', { exp: undefined }],
    ['exp', 'The claim exp is not a number of seconds since 1970.', { exp: VALUE }],
    ['nbf', 'The claim nbf is not a number of seconds since 1970.', { nbf: VALUE }],
    ['nbf', 'The claim nbf is in the future.', { nbf: now() + 600 }],
    ['sub', 'The claim sub is missing.', { sub: undefined }],
    ['sub', 'The claim sub is not a string.', { sub: [VALUE] }],
    ['platform', expect.stringMatching(/^The claim platform is not one of: /), { platform: VALUE }],
    [ROLES, notStrings, { realm_access: { roles: { [VALUE]: VALUE } } }],
    [ROLES, notStrings, { realm_access: { roles: [VALUE, null] } }],
    [ROLES, notStrings, { [ROLES]: 5, realm_access: { roles: [] } }],
  ])('by its claim %s: %s', async (claim, reason, claims) => {
    const { status, body, line, player } = await bed.join({ claims });
    expect([status, body]).toEqual([
      403,
      {
        auth_success: false,
        error_code: 'auth_token_invalid_claim',
        desc: 'A claim of the token is missing or not accepted.',
      },
    ]);
    expect(line).toEqual({
      ...joinLine(player, 403),
      error_code: 'auth_token_invalid_claim',
      claim,
      reason,
    });
    expect(JSON.stringify(line)).not.toContain(VALUE);
  });

  it('by the admin API as well', async () => {
    const token = await sign({ realm_access: { roles: 5 } });
    const { line } = await bed.send('/admin/trpc/sandboxes.list', { headers: bearer(token) });
    expect(line).toMatchObject({ status: 403, claim: ROLES, reason: notStrings });
  });
});

describe('a valid token without any claim for permissions', () => {
  const missing = {
    error_code: 'insufficient_permissions',
    claim: ROLES,
    reason: `The token has no permissions, since it has no claim ${ROLES}.`,
  };

  it('is refused with the missing claim in the log of the join', async () => {
    const { lobby } = await bed.createSession();
    const { body, line, player } = await bed.join({ lobby, claims: { realm_access: {} } });
    expect(body.desc).toBe('The credential does not permit this action.');
    expect(line).toMatchObject({ ...joinLine(player, 403), ...missing, account_id: player });
  });

  it('is refused with the missing claim in the log of the admin API', async () => {
    const headers = bearer(await sign());
    const { line } = await bed.send('/admin/trpc/players.list?input=%7B%7D', { headers });
    expect(line).toMatchObject({ status: 403, ...missing, account_id: 'backend' });
  });

  it('is refused without a claim in the log when the claim lacks the permission', async () => {
    const token = await sign({ realm_access: { roles: ['player'] } });
    const headers = bearer(token);
    const { line } = await bed.send('/admin/trpc/players.list?input=%7B%7D', { headers });
    expect(line).toMatchObject({ status: 403, error_code: 'insufficient_permissions' });
    expect(line).not.toHaveProperty('claim');
  });
});

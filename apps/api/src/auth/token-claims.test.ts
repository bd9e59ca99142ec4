import { describe, expect, it } from 'vitest';
import { ServiceError } from '../platform/errors.ts';
import { findClaim, toCaller } from './token-claims.ts';

/** As the library parses the claims of a token. */
const parse = (text: string): Record<string, unknown> => JSON.parse(text);

const ROLES = ['session:update-player:self'];

describe('a claim is found', () => {
  it.each([
    ['by its name', 'roles', { roles: ROLES }],
    ['by a name with dots', 'realm_access.roles', { 'realm_access.roles': ROLES }],
    ['by a path', 'realm_access.roles', { realm_access: { roles: ROLES } }],
    ['by a path of five names', 'a.b.c.d.e', { a: { b: { c: { d: { e: ROLES } } } } }],
    [
      'by its exact name before the path',
      'realm_access.roles',
      { realm_access: { roles: ['another'] }, 'realm_access.roles': ROLES },
    ],
    [
      'by a name of many dots',
      'https://id.a.b.c.d.e/roles',
      { 'https://id.a.b.c.d.e/roles': ROLES },
    ],
    [
      'by a name of the prototype that the token has',
      'a.constructor',
      { a: { constructor: ROLES } },
    ],
  ])('%s', (_, name, claims) => {
    expect(findClaim(claims, name)).toEqual(ROLES);
  });
});

describe('a claim is missing', () => {
  it.each([
    ['without its object', 'realm_access.roles', '{"roles":["a"]}'],
    ['without its last name', 'realm_access.roles', '{"realm_access":{}}'],
    ['inside of a list', 'list.0', '{"list":["a"]}'],
    ['inside of an object of a list', 'list.0.roles', '{"list":[{"roles":["a"]}]}'],
    ['as a property of a list', 'list.length', '{"list":["a"]}'],
    ['inside of a text', 'text.length', '{"text":"a"}'],
    ['inside of null', 'a.b', '{"a":null}'],
    ['as a property of the prototype', 'constructor.name', '{}'],
    ['in the prototype', '__proto__.constructor', '{}'],
    ['in the prototype of an object', 'a.constructor.name', '{"a":{}}'],
    ['at the end of six names', 'a.b.c.d.e.f', '{"a":{"b":{"c":{"d":{"e":{"f":"x"}}}}}}'],
    ['with an empty name', '.', '{}'],
  ])('%s', (_, name, claims) => {
    expect(findClaim(parse(claims), name)).toBeUndefined();
  });
});

const valid = { sub: 'a', exp: 9_999_999_999 };

it('a caller has the permissions of every claim, also of paths', () => {
  const claims = { ...valid, scope: 'a b', realm_access: { roles: ['c'] } };
  const { permissions } = toCaller(claims, { permissionsClaims: ['scope', 'realm_access.roles'] });
  expect(permissions).toEqual(['a', 'b', 'c']);
});

it('a caller without any claim for permissions has their names for the log', () => {
  const names = { permissionsClaims: ['scope', 'realm_access.roles'] };
  expect(toCaller(valid, names)).toMatchObject({
    permissions: [],
    missingClaims: names.permissionsClaims,
  });
  expect(toCaller({ ...valid, scope: '' }, names)).not.toHaveProperty('missingClaims');
});

describe('a refusal names the claim and the fault, and not the value', () => {
  const VALUE = 'a value that is only in the token';
  it.each([
    ['sub', { sub: { name: VALUE } }, 'The claim sub is not a string.'],
    ['sub', { sub: VALUE.repeat(10) }, 'The claim sub is not a string of 1 to 256 characters.'],
    ['platform', { platform: VALUE }, 'The claim platform is not one of: Anon, '],
    [
      'realm_access.roles',
      { realm_access: { roles: { [VALUE]: VALUE } } },
      'The claim realm_access.roles is neither an array of strings nor a string.',
    ],
    [
      'realm_access.roles',
      { realm_access: { roles: [VALUE, 5] } },
      'The claim realm_access.roles is neither an array of strings nor a string.',
    ],
  ])('%s', (claim, claims, reason) => {
    const token: Record<string, unknown> = { ...valid, ...claims };
    const read = () => toCaller(token, { permissionsClaims: ['realm_access.roles'] });
    let error: unknown;
    try {
      read();
    } catch (thrown) {
      error = thrown;
    }
    if (!(error instanceof ServiceError)) throw new Error('The token is accepted.');
    expect(error).toMatchObject({
      code: 'auth_token_invalid_claim',
      message: 'A claim of the token is missing or not accepted.',
      evidence: { claim, reason: expect.stringContaining(reason) },
    });
    expect(JSON.stringify(error.evidence)).not.toContain(VALUE);
  });
});

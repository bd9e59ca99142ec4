import { expect, it } from 'vitest';
import { Environment } from './environment.ts';
import { listSettings } from './settings.ts';
import { showSettings, showUrl } from './shown-settings.ts';

const show = (variables: Record<string, string>) =>
  showSettings(variables).filter((setting) => 'value' in setting);

it('lists every setting, with its default when it is not set', () => {
  const listed = listSettings().flatMap(({ settings }) => settings);
  expect(showSettings({ PORT: ' ' })).toEqual(
    listed.map((setting) => ({ name: setting.name, default: setting.default })),
  );
});

it('hides secrets and the address of a person', () => {
  const values = Object.keys(Environment.shape).map((name) => [
    name,
    'a-value-of-32-bytes-or-more-0123456',
  ]);
  const hidden = show(Object.fromEntries(values)).filter(({ value }) => value === '(hidden)');
  expect(hidden.map(({ name }) => name)).toEqual([
    'AUTH_JWT_SECRET',
    'AUTH_JWT_SECRET_PREVIOUS',
    // The value is no URL.
    'AUTH_ISSUER',
    'ACCOUNTS_SECRET',
    'OWNER_EMAIL',
    'OIDC_CLIENT_SECRET',
  ]);
});

it('shows values that are no secret', () => {
  expect(show({ PORT: '8080', AUTH_PERMISSIONS_CLAIM: 'realm_access.roles' })).toEqual([
    { name: 'PORT', value: '8080' },
    { name: 'AUTH_PERMISSIONS_CLAIM', value: 'realm_access.roles' },
  ]);
});

it('shows no value that its setting does not accept', () => {
  expect(show({ PORT: 'a secret', LOG_LEVEL: 'a secret', PUBLIC_URL: 'a secret' })).toEqual([
    { name: 'PORT', value: '(not valid)' },
    { name: 'LOG_LEVEL', value: '(not valid)' },
    { name: 'PUBLIC_URL', value: '(not valid)' },
  ]);
});

it.each([
  [
    'postgres://user:pass@db.example:5432/muster?sslmode=require',
    'postgres://db.example:5432/muster',
  ],
  ['postgresql://user@db/muster', 'postgresql://db/muster'],
  ['postgresql:///muster?user=user&password=pass', 'postgresql:///muster'],
  ['https://user:pass@id.example/keys?key=pass#pass', 'https://id.example/keys'],
  ['https://id.example', 'https://id.example/'],
  ['no url: pass', '(hidden)'],
  ['postgres://muster:12/ab=c@db.example/muster', '(hidden)'],
  ['postgres://muster:4711?x=y@db/muster', '(hidden)'],
])('shows of the URL %s only %s', (text, shown) => {
  expect(showUrl(text)).toBe(shown);
});

it('shows nothing of a database URL whose password breaks it', () => {
  for (const url of [
    'postgres://u:p#ss@db/m',
    'postgres://u:p/ss@db/m',
    'postgres://u:p?ss@db/m',
    'postgres://u:12#ss@db/m',
  ]) {
    expect(show({ DATABASE_URL: url })).toEqual([{ name: 'DATABASE_URL', value: '(not valid)' }]);
  }
});

import { expect, test } from 'vitest';
import { describeIssues } from '../errors/validation-problems.ts';
import { JoinRequest } from './join-request.ts';

const REQUIRED = {
  client_version: '1.4.2',
  client_settings: { platform: 'Steam', input: 'gamepad' },
  team_id: 0,
};

const problemsOf = (body: unknown): string[][] =>
  describeIssues('body', JoinRequest.safeParse(body).error?.issues ?? [], body).map(
    ({ loc, type }) => [loc.join('.'), type],
  );

test('null for an optional member is its absence, in nested objects too', () => {
  const nulls = { status: null, crossplay_preferences: null, custom_data: null };
  const settings = { ...REQUIRED.client_settings, platform_id: null };
  const read = JoinRequest.parse({ ...REQUIRED, ...nulls, client_settings: settings });
  expect(read).toStrictEqual(JoinRequest.parse(REQUIRED));
});

test('a platform that is null leaves the platform to platform_id, and none is a problem', () => {
  const withSettings = (settings: object) => ({
    ...REQUIRED,
    client_settings: { input: 'touch', ...settings },
  });
  expect(JoinRequest.parse(withSettings({ platform: null, platform_id: 5 }))).toMatchObject({
    client_settings: { platform_id: 5 },
  });
  expect(problemsOf(withSettings({ platform: null, platform_id: null }))).toEqual([
    ['body.client_settings.platform', 'value_error.missing'],
  ]);
});

test('null is a problem for what is required, for the entries of a map and for the body', () => {
  expect(problemsOf({ client_version: null, client_settings: null, team_id: null })).toEqual([
    ['body.client_version', 'type_error.str'],
    ['body.client_settings', 'type_error.dict'],
    ['body.team_id', 'type_error.integer'],
  ]);
  expect(problemsOf({ ...REQUIRED, custom_data: { skin: null } })).toEqual([
    ['body.custom_data.skin', 'type_error.str'],
  ]);
  expect(problemsOf(null)).toEqual([['body', 'type_error.dict']]);
});

test('a team has no negative number', () => {
  expect(problemsOf({ ...REQUIRED, team_id: -1 })).toEqual([
    ['body.team_id', 'value_error.number.not_ge'],
  ]);
});

test('rejects every client_version of more than 256 characters', () => {
  const longest = `1.2.3-${'a'.repeat(250)}`;
  expect(problemsOf({ ...REQUIRED, client_version: longest })).toEqual([]);
  for (const client_version of [`${longest}a`, 'x'.repeat(257)]) {
    expect(problemsOf({ ...REQUIRED, client_version })).toEqual([
      ['body.client_version', 'value_error.any_str.max_length'],
    ]);
  }
});

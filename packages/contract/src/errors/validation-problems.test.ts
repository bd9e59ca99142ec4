import { expect, test } from 'vitest';
import { ItemHistoryQuery } from '../history/history.ts';
import { JoinRequest } from '../session/join-request.ts';
import { describeIssues, limitProblems } from './validation-problems.ts';

const bodyProblems = (input: unknown) => {
  const result = JoinRequest.safeParse(input);
  return result.success ? [] : describeIssues('body', result.error.issues, input);
};

const queryProblems = (input: unknown) => {
  const result = ItemHistoryQuery.safeParse(input);
  return result.success ? [] : describeIssues('query', result.error.issues, input);
};

test('lists every problem of a body with its place and a stable type', () => {
  const input = {
    status: 'boss',
    client_version: '1.2',
    client_settings: { input: 'wheel' },
    team_id: '0',
    custom_data: { a: '' },
  };
  expect(bodyProblems(input).map(({ loc, type }) => [loc.join('.'), type])).toEqual(
    expect.arrayContaining([
      ['body.status', 'type_error.enum'],
      ['body.client_version', 'value_error.semver'],
      ['body.client_settings.input', 'type_error.enum'],
      ['body.client_settings.platform', 'value_error.missing'],
      ['body.team_id', 'type_error.integer'],
      ['body.custom_data.a', 'value_error.any_str.min_length'],
    ]),
  );
});

test('a map that is too large is listed with the problems of its entries', () => {
  const custom_data = { a: 'x'.repeat(25_000), b: '' };
  const body = { client_version: '1.0.0', client_settings: { platform: 'Steam', input: 'touch' } };
  const problems = bodyProblems({ ...body, team_id: 0, custom_data });
  expect(problems.map(({ loc, type }) => [loc.join('.'), type])).toEqual([
    ['body.custom_data', 'value_error.map.max_bytes'],
    ['body.custom_data.a', 'value_error.any_str.max_length'],
    ['body.custom_data.b', 'value_error.any_str.min_length'],
  ]);
});

test('an absent field is missing, null is of the wrong type', () => {
  expect(bodyProblems(undefined)).toMatchObject([{ loc: ['body'], type: 'value_error.missing' }]);
  const types = bodyProblems({ client_version: null }).map(({ loc, type }) => [loc.at(-1), type]);
  expect(types).toEqual([
    ['client_version', 'type_error.str'],
    ['client_settings', 'value_error.missing'],
    ['team_id', 'value_error.missing'],
  ]);
});

test('an unknown platform_id is a problem only where no platform is given', () => {
  const settings = (client_settings: object) =>
    bodyProblems({ client_version: '1.0.0', team_id: 0, client_settings });
  expect(settings({ platform_id: 3, input: 'touch' })).toMatchObject([
    { loc: ['body', 'client_settings', 'platform_id'] },
  ]);
  expect(settings({ platform_id: 3, platform: 'PSN', input: 'touch' })).toEqual([]);
});

test('the elements of comma-separated lists keep their place', () => {
  expect(queryProblems({ legacy_item_ids: ['1,2', 'x'] })).toMatchObject([
    { loc: ['query', 'legacy_item_ids', 2], type: 'type_error.integer' },
  ]);
});

test('a scalar that is given twice, an empty integer and a long list are refused', () => {
  const ids = Array.from({ length: 101 }, (_, index) => String(index));
  const problems = queryProblems({ cursor: ['0', '1'], page_size: '', item_ids: ids });
  expect(problems.map(({ loc, type }) => [loc[1], type])).toEqual([
    ['item_ids', 'value_error.list.max_items'],
    ['cursor', 'value_error.repeated'],
    ['page_size', 'type_error.integer'],
  ]);
});

test('lists the problems that fit into 64 KiB and counts the rest, however many and long they are', () => {
  const problem = (index: number) => ({
    loc: ['body', 'k'.repeat(10_000), index],
    msg: 'Must be an integer',
    type: 'type_error.integer',
  });
  const described: number[] = [];
  const listed = limitProblems(
    Array.from({ length: 100_000 }, (_, index) => index),
    (index) => {
      described.push(index);
      return problem(index);
    },
  );
  expect(JSON.stringify(listed).length).toBeLessThan(70_000);
  expect(listed.length).toBeGreaterThan(200);
  expect(described).toHaveLength(listed.length);
  expect(listed[0]?.loc).toEqual(['body', `${'k'.repeat(128)}…`, 0]);
  expect(listed.at(-1)).toEqual({
    loc: ['body'],
    msg: `${100_000 - listed.length + 1} problems are not listed`,
    type: 'value_error.more_problems',
  });
});

test('lists every problem of a list that has a few hundred', () => {
  const all = Array.from({ length: 500 }, (_, index) => ({
    loc: ['query', 'item_ids', index],
    msg: 'Must be a UUID',
    type: 'type_error.uuid',
  }));
  expect(limitProblems(all, (problem) => problem)).toEqual(all);
});

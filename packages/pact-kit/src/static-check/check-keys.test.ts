import { describe, expect, it } from 'vitest';
import type { Json } from '../../test/mutations/write-pact.ts';
import { readPact } from '../pact-files/read-pact.ts';
import { checkPacts } from './check-pacts.ts';

const HISTORY = {
  description: 'a history',
  providerStates: [{ name: 'an Item with versions', params: { versions: 3 } }],
  request: {
    method: 'GET',
    path: '/v1/history/sandbox/0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a10/item/',
    query: { page_size: ['2'] },
  },
  response: { status: 200 },
};

const check = (change: Json): string[] => {
  const pact = {
    consumer: { name: 'game' },
    provider: { name: 'muster' },
    interactions: [{ ...HISTORY, ...change }],
    metadata: { pactSpecification: { version: '3.0.0' } },
  };
  const read = readPact(JSON.stringify(pact, null, 2), 'a.json');
  const findings = [...read.findings, ...(read.pact ? checkPacts([read.pact]) : [])];
  return findings.map(({ rule }) => rule).filter((rule) => rule !== 'no-interaction-found');
};

describe('keys that Pact does not read are not left out in silence', () => {
  it.each<[string, Json]>([
    ['the states of an interaction', { providerstates: [] }],
    [
      'parameters of a state',
      { providerStates: [{ name: 'an Item with versions', parameters: {} }] },
    ],
    ['the query', { request: { ...HISTORY.request, querry: {} } }],
    ['the body', { response: { status: 200, boddy: {} } }],
    ['the status', { response: { status: 200, statuss: 404 } }],
    ['the headers', { response: { status: 200, header: { ETag: 'x' } } }],
    ['the rules', { response: { status: 200, matchingRule: {} } }],
  ])('%s, misspelt', (_name, change) => {
    expect(check(change)).toEqual(['misspelt-key']);
  });

  it.each<[string, Json]>([
    ['a broker', { _id: 'abc' }],
    ['version 4', { key: 'k', pending: false, comments: {}, transport: 'http' }],
    ['another tool', { 'x-owner': 'team', testName: 't' }],
  ])('but ignores those of %s', (_name, change) => {
    expect(check(change)).toEqual([]);
  });
});

describe('values of the wrong kind make an interaction invalid', () => {
  it.each<[string, Json]>([
    ['parameters in a list', { providerStates: [{ name: 'a session', params: ['x'] }] }],
    ['parameters as text', { providerStates: [{ name: 'a session', params: 'joinable=false' }] }],
    ['a state that is an object in place of its name', { providerState: { name: 'a session' } }],
    ['a status as text', { response: { status: '404' } }],
    ['a status between two', { response: { status: 200.5 } }],
    ['headers in a list', { response: { status: 200, headers: ['ETag'] } }],
    ['a path that is none', { request: { method: 'GET', path: 5 } }],
  ])('%s', (_name, change) => {
    expect(check(change)).toEqual(['invalid-interaction']);
  });
});

const PLAYER = '11111111-2222-4333-8444-555555555501';
const JOIN = {
  providerStates: [{ name: 'a session' }],
  request: {
    method: 'POST',
    path: `/session/v1/platform/Steam/platform-session/abc/player/${PLAYER}`,
    body: {
      client_version: '1.4.2',
      client_settings: { platform: 'Steam', input: 'gamepad' },
      team_id: 0,
    },
  },
};

const body = (expected: Json, rule: Json, combine = 'AND') => ({
  ...JOIN,
  response: {
    status: 200,
    body: expected,
    matchingRules: { body: { [`$.${Object.keys(expected)[0]}`]: { combine, ...rule } } },
  },
});

describe('states', () => {
  it('that deny each other are an error', () => {
    const providerStates = [{ name: 'a session' }, { name: 'no such platform session' }];
    expect(check({ ...JOIN, providerStates })).toEqual(['contradicting-states']);
    const other = { name: 'no such platform session', params: { platform: 'PSN' } };
    expect(check({ ...JOIN, providerStates: [{ name: 'a session' }, other] })).toEqual([]);
  });
});

describe('matchers', () => {
  it.each(['(?i)MATCH', '[[:alpha:]]+', '\\p{L}+', '(?x) mat ch # the type', '(?i:MATCH)'])(
    'are read as the verifier reads them: %s',
    (regex) => {
      const rule = { matchers: [{ match: 'regex', regex }] };
      expect(check(body({ type: 'match' }, rule))).toEqual([]);
    },
  );

  it('of which any may accept the value need not all accept it', () => {
    const matchers = [{ match: 'regex', regex: 'nope' }, { match: 'type' }];
    expect(check(body({ type: 'match' }, { matchers }, 'OR'))).toEqual([]);
    expect(check(body({ type: 'match' }, { matchers }))).toEqual(['example-against-matcher']);
  });

  it('for numbers accept digits in a query and in a header', () => {
    const query = { page_size: { matchers: [{ match: 'integer' }] } };
    expect(check({ request: { ...HISTORY.request, matchingRules: { query } } })).toEqual([]);
    const header = { 'Retry-After': { matchers: [{ match: 'integer' }] } };
    const response = { status: 409, headers: { 'Retry-After': '1' }, matchingRules: { header } };
    expect(check({ ...JOIN, response })).toEqual([]);
  });

  it('of a query that take text for a number are an error', () => {
    const query = { page_size: { matchers: [{ match: 'regex', regex: '.*' }] } };
    expect(check({ request: { ...HISTORY.request, matchingRules: { query } } })).toEqual([
      'matcher-wider-than-schema',
    ]);
  });

  it('of each key or value are checked against the schema of keys and values', () => {
    const inner = (rule: Json) => ({
      ...JOIN,
      request: {
        ...JOIN.request,
        body: { ...JOIN.request.body, custom_data: { a: 'b' } },
        matchingRules: {
          body: { '$.custom_data': { matchers: [{ match: 'eachValue', rules: [rule] }] } },
        },
      },
    });
    expect(check(inner({ match: 'integer' }))).toEqual(['matcher-contradicts-schema']);
    expect(check(inner({ match: 'regx' }))).toEqual(['broken-matcher']);
    expect(check(inner({ match: 'type' }))).toEqual([]);
  });

  it('of a path name no platform that does not exist', () => {
    const matcher = (rule: Json) => ({
      ...JOIN,
      request: { ...JOIN.request, matchingRules: { path: { matchers: [rule] } } },
    });
    const path = (platform: string) =>
      `/session/v1/platform/${platform}/platform-session/abc/player/${PLAYER}`;
    const regex = (platform: string) => matcher({ match: 'regex', regex: path(platform) });
    expect(check(regex('(Steam|PSN)'))).toEqual([]);
    expect(check(regex('(Steam|Playstation)'))).toEqual(['matcher-wider-than-schema']);
    expect(check(matcher({ match: 'include', value: '/session/v1' }))).toContain(
      'matcher-wider-than-schema',
    );
  });

  it('of a status accept the status of the example', () => {
    const respond = (status: number, accepted: unknown) => ({
      ...JOIN,
      response: {
        status,
        matchingRules: { status: { matchers: [{ match: 'statusCode', status: accepted }] } },
      },
    });
    expect(check(respond(200, 'success'))).toEqual([]);
    expect(check(respond(200, [200, 204]))).toEqual([]);
    expect(check(respond(404, 'success'))).toEqual(['example-against-matcher']);
    expect(check(respond(200, [201]))).toEqual(['example-against-matcher']);
  });
});

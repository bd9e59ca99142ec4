import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { inside } from '../../test/mutations/mutation.ts';
import type { Interaction, Json } from '../../test/mutations/write-pact.ts';
import { like, regex, writePact } from '../../test/mutations/write-pact.ts';
import { readPact } from '../pact-files/read-pact.ts';
import { checkCounts, checkPacts, writeLastRun } from './check-pacts.ts';

const JOIN: Interaction = {
  description: 'a join',
  states: [{ name: 'a session' }],
  request: {
    method: 'POST',
    path: '/session/v1/platform/Steam/platform-session/abc/player/11111111-2222-4333-8444-555555555501',
    body: {
      client_version: '1.4.2',
      client_settings: { platform: 'Steam', input: 'gamepad' },
      team_id: 0,
    },
  },
  response: { status: 200, body: {} },
};

const read = (pact: Json) => {
  const { pact: file } = readPact(JSON.stringify(pact, null, 2), 'a.json');
  if (!file) throw new Error('The pact of the test cannot be read.');
  return file;
};

/** `severity rule` of every finding about a join that differs as told. */
const check = (change: { states?: Interaction['states']; request?: object; response?: object }) => {
  const interaction = {
    ...JOIN,
    ...(change.states && { states: change.states }),
    request: { ...JOIN.request, ...change.request },
    response: { ...JOIN.response, ...change.response },
  };
  return checkPacts([read(writePact('3.0.0', [interaction]))]).map(
    ({ severity, rule }) => `${severity} ${rule}`,
  );
};

const seat = (fields: Json, rules: Record<string, readonly Json[]> = {}) => ({
  body: { teams: [{ players: [fields] }] },
  rules: { body: rules },
});

it('a field that has the name of a member of every object is unknown', () => {
  expect(check({ response: { body: { constructor: 'x' } } })).toEqual([
    'error unknown-response-field',
  ]);
});

describe('matchers in a response, which define what the consumer relies on', () => {
  const status = '$.teams[0].players[0].status';

  it.each([
    ['a type for the whole body', { $: like }, []],
    ['a type on an enumeration', { [status]: like }, ['warning matcher-wider-than-schema']],
    ['all values', { [status]: regex('^(leader|member|invited|reserved)$') }, []],
    ['some values', { [status]: regex('leader|member') }, []],
    [
      'one value too many',
      { [status]: regex('leader|owner') },
      ['error matcher-wider-than-schema'],
    ],
    ['any word', { [status]: regex('\\w+') }, ['error matcher-wider-than-schema']],
    ['no value', { [status]: regex('captain') }, ['error matcher-contradicts-schema']],
    ['no matcher that Pact has', { [status]: [{ match: 'typ' }] }, ['error broken-matcher']],
    ['an expression that is broken', { [status]: regex('(leader') }, ['error broken-matcher']],
    ['not the example', { [status]: regex('member|invited') }, ['error example-against-matcher']],
    ['every field of an element', { '$.teams[*].players[*].*': like }, []],
  ] as const)('%s', (_, rules, findings) => {
    expect(check({ response: seat({ status: 'leader' }, rules) })).toEqual(findings);
  });

  it.each([
    ["yyyy-MM-dd'T'HH:mm:ss.SSSX", []],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSXXX", []],
    ["yyyy-MM-dd'T'HH:mm:ssX", ['error matcher-contradicts-schema']],
    ['yyyy-MM-dd', ['error matcher-contradicts-schema']],
  ])('the date format %s', (format, findings) => {
    const rules = { body: { '$.created': [{ match: 'timestamp', format }] } };
    const response = { body: { created: '2026-03-14T09:26:53.589Z' }, rules };
    expect(check({ response })).toEqual(findings);
  });
});

describe('matchers in a request, which define what the consumer may send', () => {
  const input = '$.client_settings.input';

  it.each([
    ['a type for the whole body', { $: like }, ['warning matcher-wider-than-schema']],
    ['a type on an enumeration', { [input]: like }, ['warning matcher-wider-than-schema']],
    ['some values', { [input]: regex('gamepad|touch') }, []],
    [
      'a number that must be whole',
      { '$.team_id': [{ match: 'number' }] },
      ['error matcher-wider-than-schema'],
    ],
    ['an integer', { '$.team_id': [{ match: 'integer' }] }, []],
  ] as const)('%s', (_, body, findings) => {
    expect(check({ request: { rules: { body } } })).toEqual(findings);
  });

  it('one type for several enumerations is one warning that names them', () => {
    const rules = { body: { '$.client_settings': like } };
    const interaction = { ...JOIN, request: { ...JOIN.request, rules } };
    expect(checkPacts([read(writePact('3.0.0', [interaction]))])).toEqual([
      expect.objectContaining({
        severity: 'warning',
        message: expect.stringContaining('$.client_settings.platform, $.client_settings.input'),
      }),
    ]);
  });

  it('names no invented value for a matcher that accepts any text', () => {
    const path = regex('/session/v1/platform/.+/platform-session/abc/player/.+');
    const interaction = { ...JOIN, request: { ...JOIN.request, rules: { path } } };
    const messages = checkPacts([read(writePact('3.0.0', [interaction]))]).map(
      (one) => one.message,
    );
    expect(messages).toContainEqual(expect.stringContaining('accepts any text as platform'));
    expect(messages.join()).not.toContain('NoSuchValue');
  });

  it('a path that accepts any platform', () => {
    const path = regex('/session/v1/platform/.+/platform-session/abc/player/[0-9a-f-]{36}');
    expect(check({ request: { rules: { path } } })).toEqual(['error matcher-wider-than-schema']);
  });
});

describe('reliance on optional fields', () => {
  const relies = ['error relies-on-optional-field'];
  const session = (params: Json) => [{ name: 'a session', params }];

  it('names a whole object once', () => {
    const body = { instance: { version: '1.4.2', join_params: { public_conn_str: 'x' } } };
    expect(check({ response: { body } })).toEqual(relies);
  });

  it('ends where the state was given the field', () => {
    const body = { instance: { version: '1.4.2' } };
    expect(check({ response: { body }, states: session({ instance: {} }) })).toEqual(relies);
    const states = session({ instance: { version: '1.4.2' } });
    expect(check({ response: { body }, states })).toEqual([]);
  });

  it('counts every player of the session when an element represents all', () => {
    const response = seat({ joined: '2026-03-14T09:26:53.589Z' }, { '$.teams': like });
    expect(check({ response })).toEqual([]);
    const seats = [{ player_uuid: '11111111-2222-4333-8444-555555555509', status: 'invited' }];
    expect(check({ response, states: session({ seats }) })).toEqual(relies);
  });

  it('takes what the request sends only while there is no other player', () => {
    const request = { body: { ...inside(JOIN.request.body), custom_data: { mood: 'keen' } } };
    const response = seat({ custom_data: { mood: 'keen' } });
    expect(check({ request, response })).toEqual([]);
    const states = session({ teams: [{ team_id: 0, max_size: 4, players: 1 }] });
    expect(check({ request, response, states })).toContain('error relies-on-optional-field');
  });
});

describe('requests that are wrong on purpose', () => {
  it('are let through where the pact expects a 422', () => {
    const response = { status: 422, body: { detail: [] } };
    expect(check({ request: { body: { team_id: 'zero' } }, response })).toEqual([]);
    const path = JOIN.request.path.replace('Steam', 'Dreamcast');
    expect(check({ request: { path }, response })).toEqual([]);
  });

  it('may use a method that the path does not have where the pact expects a 405', () => {
    const response = { status: 405, body: { error_code: 'method_not_allowed' } };
    expect(check({ request: { method: 'PUT' }, response })).toEqual([]);
  });
});

describe('brackets in a query', () => {
  const history = (name: string, status: number): Interaction => ({
    description: 'a history',
    states: [{ name: 'an Item with versions' }],
    request: {
      method: 'GET',
      path: '/v1/history/sandbox/0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a10/item/',
      query: { [name]: ['a'] },
    },
    response: { status, body: status === 422 ? { detail: [] } : {} },
  });
  const check = (name: string, status: number): string[] =>
    checkPacts([read(writePact('3.0.0', [history(name, status)]))]).map(({ rule }) => rule);

  it.each(['item_ids[]', 'item_ids[0]', 'legacy_item_ids[]', 'item_ids[a][b]', 'item_ids['])(
    'are reported at the list %s, except where the pact expects the 422',
    (name) => {
      expect(check(name, 200)).toEqual(['bracketed-array']);
      expect(check(name, 422)).toEqual([]);
    },
  );

  it.each(['page_size[]', 'xp_ids[]', 'ITEM_IDS[]'])('make %s an unknown parameter', (name) => {
    expect(check(name, 200)).toEqual(['unknown-query-parameter']);
    expect(check(name, 422)).toEqual(['unknown-query-parameter']);
  });
});

describe('error codes', () => {
  it('belong to their status', () => {
    const body = { error_code: 'team_full' };
    expect(check({ response: { status: 409, body } })).toEqual([]);
    expect(check({ response: { status: 404, body } })).toEqual(['error unknown-error-code']);
  });
});

describe('a value that an enumeration does not have', () => {
  it('is reported with the values of the contract, each once', () => {
    const body = {
      ...inside(JOIN.request.body),
      client_settings: { platform: 'Steam', input: 'joystick' },
    };
    const pact = writePact('3.0.0', [{ ...JOIN, request: { ...JOIN.request, body } }]);
    const [finding] = checkPacts([read(pact)]);
    expect(`${finding?.message} ${finding?.suggestion ?? ''}`.match(/gamepad/g)).toHaveLength(1);
  });
});

describe('an exact Retry-After', () => {
  const response = { status: 409, headers: { 'Retry-After': '7' } };
  const rules = { header: { 'Retry-After': regex('[1-9][0-9]*') } };
  const refusal = (retry_after: number) => [
    { name: 'a temporary refusal', params: { retry_after } },
  ];

  it('is an error, since the service chooses another number each time', () => {
    expect(check({ response })).toEqual(['error exact-retry-after']);
    expect(check({ response: { ...response, rules } })).toEqual([]);
  });

  it('equals the one of the state "a temporary refusal"', () => {
    expect(check({ response, states: refusal(7) })).toEqual([]);
    expect(check({ response, states: refusal(1) })).toEqual(['error exact-retry-after']);
  });
});

describe('old pacts', () => {
  it('are checked by the same rules in version 2', () => {
    const pact = {
      consumer: { name: 'game' },
      provider: { name: 'muster' },
      interactions: [
        {
          description: 'a page',
          providerState: 'an empty history',
          request: {
            method: 'GET',
            path: '/v1/history/sandbox/bbbbbbbb-1111-4222-8333-444444444410/item/',
            query: 'page_size=7&item_ids%5B%5D=a',
          },
          response: {
            status: 200,
            headers: { 'Content-Type': 'application/json' },
            body: { page_meta: { total: 0 } },
            matchingRules: { '$.body.page_meta.total': { match: 'decimal' } },
          },
        },
      ],
      metadata: { pactSpecification: { version: '2.0.0' } },
    };
    expect(checkPacts([read(pact)]).map(({ rule }) => rule)).toEqual([
      'bracketed-array',
      'matcher-contradicts-schema',
    ]);
  });
});

describe('lost interactions', () => {
  it('are errors: no pact, no interaction, fewer than in the last run', () => {
    const folder = mkdtempSync(join(tmpdir(), 'muster-last-run-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const lastRunFile = join(folder, 'last-run.json');
    const one = [read(writePact('4.0', [JOIN]))];
    const two = [read(writePact('4.0', [JOIN, { ...JOIN, description: 'another join' }]))];

    expect(checkPacts([]).map(({ rule }) => rule)).toEqual(['no-interaction-found']);
    expect(checkCounts(two, lastRunFile)).toEqual([]);
    writeLastRun(lastRunFile, two);
    expect(checkCounts(two, lastRunFile)).toEqual([]);
    expect(checkCounts(one, lastRunFile)).toMatchObject([
      {
        rule: 'fewer-interactions',
        message: 'test-game → muster has 1 interactions, and the last run had 2.',
      },
    ]);
    writeFileSync(lastRunFile, 'broken');
    expect(checkCounts(one, lastRunFile)).toMatchObject([{ rule: 'broken-last-run' }]);
  });
});

describe('provider states', () => {
  it('says that a field of a parameter is required', () => {
    const states = [{ name: 'a session', params: { seats: [{ team_id: 0 }] } }];
    const findings = checkPacts([read(writePact('3.0.0', [{ ...JOIN, states }]))]);
    expect(findings.map(({ message }) => message)).toContain(
      'The parameter "seats.0.player_uuid" of the provider state "a session" is required, and the pact does not give it.',
    );
  });

  it('takes the type matcher beside a generator as no claim about the values that are sent', () => {
    const rules = { path: like, body: { '$.client_settings.platform': like } };
    const generator = { type: 'ProviderState', expression: `\${platform}` };
    const request = (generators: object) => ({ ...JOIN.request, rules, generators });
    const rulesOf = (generators: object) => check({ request: request(generators) });
    expect(rulesOf({})).toContain('warning matcher-wider-than-schema');
    const path = JOIN.request.path.replace('Steam', `\${platform}`);
    expect(
      rulesOf({
        path: { type: 'ProviderState', expression: path },
        body: { '$.client_settings.platform': generator },
      }),
    ).toEqual([]);
  });
});

import { describe, expect, inject, it } from 'vitest';
import { runKit } from './run-kit.ts';
import { temporaryFolder, writePacts } from './verify-for-test.ts';

const { url, secret } = inject('provider');

/** As pact-python and other libraries write `each_like`: the type alone, without a minimum. */
const like = { combine: 'AND', matchers: [{ match: 'type' }] };
const HISTORY = '/v1/history/sandbox/0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a13/item/';
const JOIN =
  '/session/v1/platform/Steam/platform-session/abc/player/11111111-2222-4333-8444-555555555513';

type Json = Record<string, unknown>;

const verify = async (providerStates: Json[], request: Json, body: Json, rules: Json) => {
  const interaction = {
    description: 'a list',
    providerStates,
    request: { method: 'GET', path: HISTORY, ...request },
    response: { status: 200, body, matchingRules: { body: rules } },
  };
  const pact = {
    consumer: { name: 'test-game' },
    provider: { name: 'muster' },
    interactions: [interaction],
    metadata: { pactSpecification: { version: '3.0.0' } },
  };
  const files = writePacts(temporaryFolder(), [pact]);
  return runKit(['verify', ...files, '--provider-url', url, '--secret', secret]);
};

const item = (params: Json = {}) => ({ name: 'an Item with versions', params });
const page = (version: Json) => ({ transactions: [version] });
const PAGE = page({ version_name: 'Iron Sword' });
const EACH = { '$.transactions': like, '$.transactions[*].version_name': like };

describe('an expected list that was compared with an empty one', () => {
  it.each<[string, Json]>([
    ['the filter of the request is misspelt', item({ name: 'Iron Sword' })],
    [
      'the state is about another sandbox',
      item({ sandbox_id: HISTORY.slice(20, 56).replace('0', '1') }),
    ],
  ])('is an error when the state makes elements: %s', async (_, state) => {
    const query = state.params && 'name' in (state.params as Json) ? { name: ['Irno'] } : {};
    const { code, out } = await verify([state], { query }, PAGE, EACH);
    expect(out).toContain('error The list $.transactions of the response is empty');
    expect(out).toContain('The provider state "an Item with versions" makes elements');
    expect(code).toBe(1);
  });

  it('is a warning without a provider state that makes elements', async () => {
    const without = await verify([], {}, page({}), EACH);
    expect(without.out).toContain('warning The list $.transactions of the response is empty');
    expect(without.out).toContain('Name the provider state "an Item with versions"');
    expect(without.out).toMatch(/1 passed, 0 failed, 1 warning/);
    expect(without.code).toBe(0);
    const empty = await verify([{ name: 'an empty history' }], {}, page({}), EACH);
    expect(empty.out).toContain('warning The list $.transactions');
  });

  it('is found inside of elements and in maps', async () => {
    const version = { tags: ['sharp'], custom_data: { a: 'b' } };
    const rules = {
      ...EACH,
      '$.transactions[*].version.tags': like,
      '$.transactions[*].version.custom_data': { matchers: [{ match: 'values' }] },
    };
    const empty = await verify([item()], {}, page({ version }), rules);
    expect(empty.out).toContain('warning The list $.transactions[*].version.tags');
    expect(empty.out).toContain('warning The map $.transactions[*].version.custom_data');
    const given = item({ tags: ['sharp'], custom_data: { a: 'b' } });
    expect((await verify([given], {}, page({ version }), rules)).out).not.toContain('is empty');
  });

  it('is no finding when one of several lists has elements', async () => {
    const request = {
      method: 'POST',
      path: JOIN,
      headers: { 'Content-Type': 'application/json' },
      body: {
        client_version: '1.4.2',
        client_settings: { platform: 'Steam', input: 'gamepad' },
        team_id: 1,
      },
    };
    const body = { teams: [{ players: [{ status: 'leader' }] }] };
    const rules = {
      '$.teams': like,
      '$.teams[*].players': like,
      '$.teams[*].players[*].status': { matchers: [{ match: 'regex', regex: 'leader|member' }] },
    };
    const { code, out } = await verify([{ name: 'a session' }], request, body, rules);
    expect(out).toMatch(/1 passed, 0 failed of 1/);
    expect(code).toBe(0);
  });
});

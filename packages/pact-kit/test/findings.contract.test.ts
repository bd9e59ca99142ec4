import { describe, expect, inject, it } from 'vitest';
import { runKit } from './run-kit.ts';
import { temporaryFolder, writePacts } from './verify-for-test.ts';

const { url, secret } = inject('provider');

const HISTORY = '/v1/history/sandbox/0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a17/item/';
const JOIN =
  '/session/v1/platform/Steam/platform-session/abc/player/11111111-2222-4333-8444-555555555517';
const EACH = { matchers: [{ match: 'type', min: 1 }] };
const oneOf = (regex: string) => ({ matchers: [{ match: 'regex', regex }] });

type Json = Record<string, unknown>;

const verify = async (interaction: Json) => {
  const pact = {
    consumer: { name: 'test-game' },
    provider: { name: 'muster' },
    interactions: [{ description: 'a request', ...interaction }],
    metadata: { pactSpecification: { version: '3.0.0' } },
  };
  const files = writePacts(temporaryFolder(), [pact]);
  const { out } = await runKit(['verify', ...files, '--provider-url', url, '--secret', secret]);
  return { out, errors: out.split('\n').filter((line) => /^ +error /.test(line)) };
};

/** Three versions of one Item, and what the pact expects of each element. */
const verifyHistory = (transactions: Json[], rules: Json, name?: string) =>
  verify({
    providerStates: [
      { name: 'an Item with versions', params: { name: 'Iron Sword', versions: 3 } },
    ],
    request: { method: 'GET', path: HISTORY, ...(name && { query: { name: [name] } }) },
    response: { status: 200, body: { transactions }, matchingRules: { body: rules } },
  });

const body = {
  client_version: '1.4.2',
  client_settings: { platform: 'Steam', input: 'gamepad' },
  team_id: 0,
};

const verifyJoin = (request: Json) =>
  verify({
    providerStates: [{ name: 'a session' }],
    request: {
      method: 'POST',
      path: JOIN,
      headers: { 'Content-Type': 'application/json' },
      body,
      ...request,
    },
    response: { status: 200, body: { session_id: 'session-1' } },
  });

describe('one cause is one error', () => {
  it.each<[number, string, Json]>([
    [422, 'body', { body: { ...body, client_version: 'two' } }],
    [422, 'query', { query: { player_id: ['one'] } }],
    [404, 'path', { path: JOIN.replace('/platform-session/', '/session/') }],
    [405, 'method', { method: 'PUT' }],
  ])('when the service refuses with %i what is wrong in the %s', async (status, _, request) => {
    const { out, errors } = await verifyJoin(request);
    expect(errors).toHaveLength(1);
    expect(errors[0]).not.toContain('wrong-status');
    expect(out).toContain(`status ${status} instead of 200`);
  });

  it('when the contract and each element of the list contradict a matcher', async () => {
    const { out, errors } = await verifyHistory([{ operation: 'created' }], {
      '$.transactions': EACH,
      '$.transactions[*].operation': oneOf('created|updated'),
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('$.transactions[0].operation accepts none of the values');
    expect(out).toContain("Expected 'update' to match 'created|updated'");
    expect(out).toContain('2 other elements');
  });

  it('when no element of the list has a field', async () => {
    const { out, errors } = await verifyHistory([{ operation: 'update', created: 'yesterday' }], {
      '$.transactions': EACH,
    });
    expect(errors.filter((line) => line.includes('created'))).toHaveLength(1);
    expect(out).toContain('$.transactions[0].created is missing');
  });

  it('when only the replay finds it, at the line of the field', async () => {
    const { out, errors } = await verifyHistory([{ version_name: 'Bow' }], {
      '$.transactions': EACH,
      '$.transactions[*].version_name': oneOf('Bow|Sling'),
    });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain("$.transactions[0].version_name: Expected 'Iron Sword' to match");
    expect(errors[0]).toContain('2 other elements');
    expect(out).toMatch(/pact-0\.json:29:31$/m);
  });

  it('when every example of a list has the same unknown value', async () => {
    const { out, errors } = await verifyHistory(
      [{ operation: 'updated' }, { operation: 'updated' }, { operation: 'updated' }],
      {},
    );
    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain('$.transactions[0].operation is "updated"');
    expect(out).toContain('2 other places');
  });

  it('but two causes are two errors', async () => {
    const { errors } = await verifyHistory([{ operation: 'created', version_name: 'Bow' }], {
      '$.transactions': EACH,
      '$.transactions[*].operation': oneOf('created|updated'),
      '$.transactions[*].version_name': oneOf('Bow|Sling'),
    });
    expect(errors).toHaveLength(2);
  });
});

describe('a failed replay names what to look at', () => {
  it('the detail of a 422, when a pact of version 3 sends no Content-Type', async () => {
    const { out } = await verify({
      providerStates: [{ name: 'a session' }],
      request: { method: 'POST', path: JOIN, body },
      response: { status: 200, body: { session_id: 'session-1' } },
    });
    expect(out).toContain('status 422 instead of 200');
    expect(out).toContain('The service refused header.content-type: Field is required');
  });

  it('the filter of the request, when a list with a minimum is empty', async () => {
    const { out } = await verifyHistory(
      [{ operation: 'update' }],
      { '$.transactions': EACH },
      'Irno',
    );
    expect(out).toContain('to have minimum size of 1');
    expect(out).toContain('The provider state "an Item with versions" makes elements');
  });

  it('the state of a temporary refusal, when the interaction names another one', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const { out } = await verify({
      providerStates: [{ name: 'a session' }],
      request: { method: 'POST', path: JOIN, headers, body },
      response: { status: 409, body: { error_code: 'session_busy' } },
    });
    expect(out).toContain('status 200 instead of 409');
    expect(out).toContain("'a temporary refusal' with the error_code session_busy");
  });

  it('the state that fills the list, when the interaction names one of another kind', async () => {
    const { out } = await verify({
      providerStates: [{ name: 'an Item with versions' }],
      request: { method: 'GET', path: HISTORY.replace('/item/', '/xp/') },
      response: {
        status: 200,
        body: { transactions: [{ operation: 'insert' }] },
        matchingRules: { body: { '$.transactions': EACH } },
      },
    });
    expect(out).toContain('Name the provider state "an Xp table with versions"');
  });
});

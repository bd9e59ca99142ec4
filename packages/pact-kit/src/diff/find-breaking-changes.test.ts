// Each case breaks the real contract in one way and shows that the comparison notices, or rightly does not.
import { readFileSync } from 'node:fs';
import { UUID_PATTERN } from '@muster/contract';
import { buildOpenApi } from '@muster/contract/openapi';
import { describe, expect, test } from 'vitest';
import { findBreakingChanges } from './find-breaking-changes.ts';

type Json = { [key: string]: Json } & Json[] & (string | number | boolean);

const readContract = (): Json => JSON.parse(JSON.stringify(buildOpenApi({ version: '3.1.0' })));

const released = readContract();
const [items = '', xp = '', join = ''] = Object.keys(released.paths ?? {});

const compareAfter = async (change: (contract: Json) => void): Promise<string[]> => {
  const changed = readContract();
  change(changed);
  return compare(released, changed);
};

/** The id and the text of what breaks. */
const compare = async (before: object, after: object): Promise<string[]> =>
  (await findBreakingChanges(before, after))
    .filter(({ severity }) => severity === 'error')
    .map(({ id, text }) => `${id}: ${text}`);

const set = (target: Json | undefined, key: string, value: unknown): void => {
  if (!target) throw new Error(`There is nothing to set ${key} on.`);
  Object.assign(target, { [key]: value });
};

const remove = (target: Json | undefined, key: string): void => {
  if (!target || !(key in target)) throw new Error(`There is no ${key} to remove.`);
  delete (target as Record<string, unknown>)[key];
};

const schemaOf = (contract: Json, name: string) => contract.components?.schemas?.[name];
const parameterOf = (contract: Json, name: string) =>
  contract.paths?.[items]?.get?.parameters?.find((parameter) => String(parameter.name) === name);
const answerOf = (contract: Json, status: number) =>
  contract.paths?.[join]?.post?.responses?.[status];

const BREAKS: Record<string, [(contract: Json) => void, RegExp]> = {
  'a removed endpoint': [({ paths }) => remove(paths, xp), /api-path-removed/],
  'a removed refusal': [
    (contract) => remove(contract.paths?.[join]?.post?.responses, '409'),
    /response-non-success-status-removed/,
  ],
  'a removed response field': [
    (contract) => remove(schemaOf(contract, 'Session')?.properties, 'region_id'),
    /response-optional-property-removed/,
  ],
  'a response field that may now be absent': [
    (contract) => set(schemaOf(contract, 'Session'), 'required', ['type', 'session_id']),
    /response-property-became-optional/,
  ],
  'a response field of another type': [
    (contract) => set(schemaOf(contract, 'Session')?.properties?.joinable, 'type', 'string'),
    /type-changed/,
  ],
  'a request field that is now required': [
    (contract) => schemaOf(contract, 'JoinRequest')?.required?.push('custom_data' as never),
    /request-property-became-required/,
  ],
  'a request value that is no longer accepted': [
    (contract) => schemaOf(contract, 'InputDevice')?.enum?.pop(),
    /enum-value-removed/,
  ],
  'a tighter bound': [
    (contract) => set(parameterOf(contract, 'page_size')?.schema, 'maximum', 100),
    /request-parameter-max-decreased/,
  ],
  'another default': [
    (contract) => set(schemaOf(contract, 'SortOrder'), 'default', 'asc'),
    /default-value-changed/,
  ],
  'a value more in an answer': [
    (contract) => schemaOf(contract, 'HistoryOperation')?.enum?.push('archive' as never),
    /response-property-enum-value-added/,
  ],
  'null that is no longer taken for absence': [
    (contract) =>
      set(schemaOf(contract, 'JoinRequest')?.properties, 'status', {
        $ref: '#/components/schemas/PlayerStatus',
      }),
    /request-property-became-not-nullable/,
  ],
  'UUIDs that need their hyphens again': [
    (contract) =>
      set(parameterOf(contract, 'sandbox_id'), 'schema', { type: 'string', format: 'uuid' }),
    /request-parameter-type-changed/,
  ],
  'a removed filter': [
    (contract) => contract.paths?.[items]?.get?.parameters?.splice(1, 1),
    /request-parameter-removed/,
  ],
  'a removed ETag': [
    (contract) => remove(answerOf(contract, 200)?.headers, 'ETag'),
    /required-response-header-removed/,
  ],
  'a removed Retry-After': [
    (contract) => remove(answerOf(contract, 409)?.headers, 'Retry-After'),
    /required-response-header-removed/,
  ],
  'a renamed operation': [
    (contract) => set(contract.paths?.[items]?.get, 'operationId', 'listItems'),
    /api-operation-id-removed/,
  ],
  'lists encoded in another way': [
    (contract) => set(parameterOf(contract, 'item_ids'), 'explode', false),
    /parameter `item_ids` was encoded as form, repeated keys, now as form, one value/,
  ],
  'a lost error code': [
    (contract) =>
      schemaOf(contract, 'ServiceErrorBody')?.properties?.error_code?.[
        'x-extensible-enum'
      ]?.shift(),
    /the error_code `auth_missing` is gone/,
  ],
};

describe('comparing with the released contract', { timeout: 30_000 }, () => {
  test.each(Object.entries(BREAKS))('notices %s', async (_title, [change, rule]) => {
    const changes = await compareAfter(change);
    expect(changes.join('\n')).toMatch(rule);
  });

  test('finds nothing in the same contract', async () => {
    expect(await compareAfter(() => undefined)).toEqual([]);
  });

  test('lets additions pass: a field, an optional parameter, a code, a refusal, other words', async () => {
    const changes = await compareAfter((contract) => {
      set(schemaOf(contract, 'Session')?.properties, 'mood', { type: 'string' });
      set(schemaOf(contract, 'JoinRequest')?.properties, 'nickname', { type: 'string' });
      const parameter = { name: 'since', in: 'query', schema: { type: 'string' } };
      contract.paths?.[items]?.get?.parameters?.push(parameter as never);
      const codes = schemaOf(contract, 'ServiceErrorBody')?.properties?.error_code;
      codes?.['x-extensible-enum']?.push('seat_reserved' as never);
      const responses = contract.paths?.[items]?.get?.responses;
      set(responses, '418', responses?.[500]);
      set(contract.info, 'description', 'Other words.');
    });
    expect(changes).toEqual([]);
  });

  test('lets another spelling of the same pass: a named schema, null, a UUID in one form more', async () => {
    const older = readContract();
    const properties = schemaOf(older, 'JoinRequest')?.properties;
    set(properties, 'custom_data', schemaOf(older, 'CustomData'));
    set(properties, 'status', { $ref: '#/components/schemas/PlayerStatus' });
    const withFormat: Json = JSON.parse(
      JSON.stringify(older).replaceAll(
        `"pattern":${JSON.stringify(UUID_PATTERN)}`,
        '"format":"uuid"',
      ),
    );
    expect(JSON.stringify(withFormat)).not.toContain('{32}');
    expect(await compare(withFormat, released)).toEqual([]);
  });

  test('lets an encoding pass that is written out where it was the default', async () => {
    const changes = await compareAfter((contract) => {
      set(parameterOf(contract, 'name'), 'style', 'form');
      set(parameterOf(contract, 'sandbox_id'), 'explode', false);
    });
    expect(changes).toEqual([]);
  });

  test('finds since 0.1.0 what its document allowed and the service always refused, and nothing else', async () => {
    const path = new URL('../../../../contracts/released/0.1.0/openapi.json', import.meta.url);
    const changes = await findBreakingChanges(JSON.parse(readFileSync(path, 'utf8')), released);
    expect(changes.map(({ id, severity }) => [id, severity])).toEqual([
      ['request-property-became-enum', 'error'],
      ['request-property-min-increased', 'error'],
    ]);
  });

  test('a document that is none is an error and not a pass', async () => {
    const noDocument = { ...(released as object), paths: 'soon' };
    await expect(findBreakingChanges(released, noDocument)).rejects.toThrow();
  });
});

import { expect, test } from 'vitest';
import { PUBLIC_ERROR_CODES } from '../errors/error-catalogue.ts';
import { UUID_PATTERN } from '../strings.ts';
import { listOperations, readDocument } from './testing/read-document.ts';

const document = readDocument('3.1.0');
const [items, xp, join] = listOperations(document);

const SAFE_INTEGER = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  format: 'int64',
};

/** One element of a list: commas separate elements, and U+0000 cannot be stored. */
const RECORD_ID = { type: 'string', minLength: 1, pattern: '^[^,\\x00]+$' };

/** No `format`: it would forbid the form without hyphens. */
const REQUEST_UUID = { type: 'string', pattern: UUID_PATTERN };

const REQUEST_ID = {
  name: 'X-Request-Id',
  place: 'header',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._-]+$' },
};

const listParameters = (operation = items) =>
  operation?.parameters.map(({ name, in: place, required = false, schema }) => ({
    name,
    place,
    required,
    schema,
  }));

test('the histories show types, bounds, choices and defaults of their parameters', () => {
  const expected = (kind: string) => [
    {
      name: 'sandbox_id',
      place: 'path',
      required: true,
      schema: REQUEST_UUID,
    },
    {
      name: `${kind}_ids`,
      place: 'query',
      required: false,
      schema: { type: 'array', maxItems: 100, items: RECORD_ID },
    },
    {
      name: `legacy_${kind}_ids`,
      place: 'query',
      required: false,
      schema: { type: 'array', maxItems: 100, items: SAFE_INTEGER },
    },
    { name: 'name', place: 'query', required: false, schema: { type: 'string', maxLength: 256 } },
    {
      name: 'sort_order',
      place: 'query',
      required: false,
      schema: { $ref: '#/components/schemas/SortOrder' },
    },
    {
      name: 'cursor',
      place: 'query',
      required: false,
      schema: { type: 'string', minLength: 1, maxLength: 256, default: '0' },
    },
    {
      name: 'page_size',
      place: 'query',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
    },
    REQUEST_ID,
  ];
  expect(document.components.schemas.SortOrder).toMatchObject({
    type: 'string',
    enum: ['asc', 'desc'],
    default: 'desc',
  });
  expect(listParameters(items)).toEqual(expected('item'));
  expect(listParameters(xp)).toEqual(expected('xp'));
});

test('the join shows the bounds of its path and its one query parameter', () => {
  expect(listParameters(join)).toMatchObject([
    { name: 'platform', required: true, schema: { $ref: '#/components/schemas/Platform' } },
    {
      name: 'platform_session_id_base64',
      required: true,
      schema: { type: 'string', minLength: 1, maxLength: 4096 },
    },
    { name: 'player_uuid', required: true, schema: REQUEST_UUID },
    { name: 'player_id', place: 'query', required: false, schema: SAFE_INTEGER },
    REQUEST_ID,
  ]);
});

test('lists are repeated keys, scalars carry no style', () => {
  const parameters = listOperations(document).flatMap((operation) => operation.parameters);
  for (const { schema, style, explode } of parameters) {
    const isList = String(schema.type) === 'array';
    expect([style, explode]).toEqual(isList ? ['form', true] : [undefined, undefined]);
  }
});

test('a request body shows its inputs, an answer its outputs', () => {
  const { CustomData, Instance, JoinRequest, Session } = document.components.schemas;
  expect(JoinRequest?.required).toEqual(['client_version', 'client_settings', 'team_id']);
  expect(JoinRequest?.properties).toMatchObject({
    client_version: { type: 'string', maxLength: 256, pattern: expect.stringMatching(/^\^\(0\|/) },
    team_id: { type: 'integer', minimum: 0, format: 'int64' },
  });
  expect(CustomData).toMatchObject({
    maxProperties: 64,
    propertyNames: { minLength: 1, maxLength: 128 },
    additionalProperties: { type: 'string', minLength: 1, maxLength: 4096 },
    // No keyword of JSON Schema bounds the bytes of a map.
    description: expect.stringContaining('20 KiB of UTF-8'),
  });
  expect(Instance?.properties?.host_player_uuid).toMatchObject({ format: 'uuid' });
  expect(Session?.required).toContain('platform_session');
  expect(Session).not.toHaveProperty('additionalProperties');
});

test('marks deprecated fields', () => {
  const { ClientSettingsInput, ClientSettings, Session, PlatformSession } =
    document.components.schemas;
  const deprecated = [
    ClientSettingsInput?.properties?.platform_id,
    ClientSettings?.properties?.platform_id,
    Session?.properties?.match,
    PlatformSession?.properties?.players,
  ];
  for (const schema of deprecated) expect(schema).toMatchObject({ deprecated: true });
});

test('the public codes are listed as a set that may grow, the admin codes are not', () => {
  const code = document.components.schemas.ServiceErrorBody?.properties?.error_code;
  expect(code).toMatchObject({ type: 'string', 'x-extensible-enum': PUBLIC_ERROR_CODES });
  expect(code).not.toHaveProperty('enum');
  expect(PUBLIC_ERROR_CODES).not.toContain('record_version_conflict');
});

import { validate } from '@hyperjump/json-schema/openapi-3-1';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { companionContract } from '../companion/companion-router.ts';
import type { ErrorCode } from '../errors/error-catalogue.ts';
import {
  COMPANION_ERROR_CODES,
  ERROR_CATALOGUE,
  SESSION_ERROR_CODES,
  SESSION_LIST_ERROR_CODES,
} from '../errors/error-catalogue.ts';
import { contract } from '../router.ts';
import { buildCompanionOpenApi } from './build-openapi.ts';
import type { PlainDocument } from './testing/read-document.ts';
import { listOperations, readDocument } from './testing/read-document.ts';

const read = (): PlainDocument =>
  JSON.parse(JSON.stringify(buildCompanionOpenApi({ version: '3.1.0' })));
const document = read();

type Name = keyof typeof companionContract;
const NAMES = Object.keys(companionContract) as Name[];

const operationOf = (name: Name) => {
  const found = listOperations(document).find(({ operationId }) => operationId === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
};

/** Every example of every response with a body. */
const listAnswers = (name: Name) =>
  Object.entries(operationOf(name).responses).flatMap(([status, { content }]) =>
    Object.values(content?.['application/json'].examples ?? {}).map(({ value }) => ({
      status: Number(status),
      value,
      schema: companionContract[name].responses[Number(status) as 404],
    })),
  );

describe('the companion document', () => {
  test('is valid by the official meta-schema and the same each time', async () => {
    const result = await validate(
      'https://spec.openapis.org/oas/3.1/schema-base',
      document as never,
    );
    expect(result).toEqual({ valid: true });
    expect(read()).toEqual(document);
  });

  test('has the three endpoints and their statuses', () => {
    const paths = Object.entries(document.paths);
    expect(paths.map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/session/v1/session/{type}/{session_id}', ['get']],
      ['/session/v1/player/{player_uuid}/session', ['get']],
      ['/session/v1/session/{type}/{session_id}/player/{player_uuid}', ['delete']],
    ]);
    for (const name of NAMES) {
      const { responses } = companionContract[name];
      expect(Object.keys(operationOf(name).responses)).toEqual(Object.keys(responses));
    }
  });

  test('shares no path and no operation with the public document', () => {
    const first = readDocument('3.1.0');
    expect(Object.keys(first.paths).filter((path) => path in document.paths)).toEqual([]);
    expect(NAMES.filter((name) => name in contract)).toEqual([]);
  });

  test('has complete examples: reading one by its schema changes nothing', () => {
    for (const name of NAMES) {
      for (const { schema, value } of listAnswers(name)) {
        if (!(schema instanceof z.ZodType)) throw new Error('The schema has no type.');
        expect(schema.parse(value)).toEqual(value);
      }
    }
  });

  test.each([
    ['readSession', SESSION_ERROR_CODES],
    ['listPlayerSessions', SESSION_LIST_ERROR_CODES],
    ['leaveSession', SESSION_ERROR_CODES],
  ] as const)('lists every error code of %s at its status', (name, codes) => {
    const listed = listAnswers(name)
      .filter(({ value }) => 'error_code' in (value as object))
      .map(({ status, value }) => [(value as { error_code: ErrorCode }).error_code, status]);
    const expected = codes.map((code) => [code, ERROR_CATALOGUE[code].status]);
    expect(listed.toSorted()).toEqual(expected.toSorted());
  });

  test('names its own error codes, and leaves those of the public document unchanged', () => {
    const codesOf = ({ components }: PlainDocument) =>
      components.schemas.ServiceErrorBody?.properties?.error_code?.['x-extensible-enum'];
    expect(codesOf(document)).toEqual(COMPANION_ERROR_CODES);
    expect(codesOf(document)).toContain('session_not_found');
    expect(codesOf(readDocument('3.1.0'))).not.toContain('session_not_found');
  });

  test('describes If-None-Match and the wait', () => {
    const { parameters, responses } = operationOf('readSession');
    expect(parameters.map(({ name }) => name)).toEqual([
      'type',
      'session_id',
      'wait',
      'if-none-match',
      'X-Request-Id',
    ]);
    for (const status of ['200', '304']) expect(responses[status]?.headers).toHaveProperty('ETag');
    expect(responses[304]).not.toHaveProperty('content');
    expect(operationOf('leaveSession').responses[204]).not.toHaveProperty('content');
  });
});

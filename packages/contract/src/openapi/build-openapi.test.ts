import { validate as validate30 } from '@hyperjump/json-schema/openapi-3-0';
import { validate as validate31 } from '@hyperjump/json-schema/openapi-3-1';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { ErrorCode } from '../errors/error-catalogue.ts';
import {
  ERROR_CATALOGUE,
  HISTORY_ERROR_CODES,
  JOIN_ERROR_CODES,
  statusOfJoinError,
} from '../errors/error-catalogue.ts';
import { contract } from '../router.ts';
import type { Operation } from './testing/read-document.ts';
import { listObjects, listOperations, readDocument } from './testing/read-document.ts';

type RouteName = keyof typeof contract;

const document = readDocument('3.1.0');
const older = readDocument('3.0.3');
const routes = Object.entries(contract) as [RouteName, (typeof contract)[RouteName]][];

const getOperation = (name: string): Operation => {
  const found = listOperations(document).find(({ operationId }) => operationId === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found;
};

/** Every example of every answer, with its status and the schema of that status. */
const listAnswers = (name: RouteName) =>
  Object.entries(getOperation(name).responses).flatMap(([status, { content }]) =>
    Object.values(content['application/json'].examples).map(({ value }) => ({
      status: Number(status),
      value,
      schema: contract[name].responses[Number(status) as 200] as z.ZodType,
    })),
  );

describe('both documents', () => {
  test('3.1 is valid by the official meta-schema, its schemas included', async () => {
    const result = await validate31(
      'https://spec.openapis.org/oas/3.1/schema-base',
      document as never,
    );
    expect(result).toEqual({ valid: true });
  });

  test('3.0 is valid by the official meta-schema', async () => {
    const result = await validate30('https://spec.openapis.org/oas/3.0/schema', older as never);
    expect(result).toEqual({ valid: true });
  });

  test('are the same, byte for byte, each time they are built', () => {
    expect(JSON.stringify(readDocument('3.1.0'))).toBe(JSON.stringify(document));
    expect(JSON.stringify(readDocument('3.0.3'))).toBe(JSON.stringify(older));
  });

  test('name the same operations, statuses and components', () => {
    expect(Object.keys(older.components.schemas)).toEqual(Object.keys(document.components.schemas));
    expect(listOperations(older).map((o) => [o.operationId, Object.keys(o.responses)])).toEqual(
      listOperations(document).map((o) => [o.operationId, Object.keys(o.responses)]),
    );
  });

  test('3.0 has no keyword beside a reference and one example per schema', () => {
    const objects = listObjects(older);
    const references = objects.filter((object) => '$ref' in object);
    expect(references.length).toBeGreaterThan(50);
    expect(references.filter((object) => Object.keys(object).length > 1)).toEqual([]);
    expect(objects.filter(({ examples }) => Array.isArray(examples))).toEqual([]);
    expect(objects.filter((object) => 'propertyNames' in object)).toEqual([]);
  });
});

describe('operations', () => {
  test('have exactly the paths of the interface', () => {
    expect(Object.entries(document.paths).map(([path, item]) => [path, Object.keys(item)])).toEqual(
      [
        ['/v1/history/sandbox/{sandbox_id}/item/', ['get']],
        ['/v1/history/sandbox/{sandbox_id}/xp/', ['get']],
        [
          '/session/v1/platform/{platform}/platform-session/{platform_session_id_base64}/player/{player_uuid}',
          ['post'],
        ],
      ],
    );
  });

  test('are named like the routes and declare their statuses', () => {
    for (const [name, route] of routes) {
      expect(Object.keys(getOperation(name).responses)).toEqual(Object.keys(route.responses));
    }
  });

  test('hold their answers and headers themselves', () => {
    for (const operation of listOperations(document)) {
      for (const response of Object.values(operation.responses)) {
        expect(response).not.toHaveProperty('$ref');
        for (const header of Object.values(response.headers)) {
          expect(header).not.toHaveProperty('$ref');
        }
      }
    }
  });
});

describe('examples', () => {
  test('stand at every status, and the requests are accepted as they are', () => {
    for (const [name] of routes) {
      for (const { content } of Object.values(getOperation(name).responses)) {
        expect(Object.keys(content['application/json'].examples).length).toBeGreaterThan(0);
      }
    }
    const { requestBody } = getOperation('joinByPlatformSession');
    const requests = Object.values(requestBody?.content['application/json'].examples ?? {});
    expect(requests.length).toBeGreaterThan(2);
    for (const { value } of requests) {
      expect(contract.joinByPlatformSession.body.safeParse(value).error).toBeUndefined();
    }
  });

  test('of answers are complete: reading one by its schema changes nothing', () => {
    for (const [name] of routes) {
      for (const { schema, value } of listAnswers(name)) expect(schema.parse(value)).toEqual(value);
    }
  });

  test('of refusals are the catalogue, code by code, and each code stands at its status', () => {
    const codesOf = (name: RouteName) =>
      listAnswers(name)
        .filter(({ status }) => status !== 200 && status !== 422)
        .map(({ status, value }) => [(value as { error_code: ErrorCode }).error_code, status]);
    const sorted = (pairs: unknown[][]) => pairs.map((pair) => pair.join(' ')).sort();
    const ofJoins = JOIN_ERROR_CODES.map((code) => [code, statusOfJoinError(code)]);
    const ofHistories = HISTORY_ERROR_CODES.map((code) => [code, ERROR_CATALOGUE[code].status]);
    expect(sorted(codesOf('joinByPlatformSession'))).toEqual(sorted(ofJoins));
    expect(sorted(codesOf('listItemHistory'))).toEqual(sorted(ofHistories));
    expect(sorted(codesOf('listXpHistory'))).toEqual(sorted(ofHistories));
  });

  test('show rate_limited as 409 on a join and as 429 on the histories', () => {
    const statusesOf = (name: RouteName) =>
      listAnswers(name)
        .filter(({ value }) => (value as { error_code?: string }).error_code === 'rate_limited')
        .map(({ status }) => status);
    expect(routes.map(([name]) => [name, statusesOf(name)])).toEqual([
      ['listItemHistory', [429]],
      ['listXpHistory', [429]],
      ['joinByPlatformSession', [409]],
    ]);
  });
});

describe('sizes', () => {
  test('are 128 KiB for the body of a join and 32 KiB for every request line with its headers', () => {
    const { responses } = getOperation('joinByPlatformSession');
    expect(responses[413]?.description).toBe('The body is larger than 128 KiB.');
    for (const operation of listOperations(document)) {
      expect(operation.responses[431]?.description).toContain('larger than 32 KiB');
    }
  });
});

describe('headers', () => {
  const withHeader = (header: string) =>
    routes.flatMap(([name]) =>
      Object.entries(getOperation(name).responses)
        .filter(([, { headers }]) => headers[header]?.required)
        .map(([status]) => `${name} ${status}`),
    );

  test('only the 200 of the join has ETag', () => {
    expect(withHeader('ETag')).toEqual(['joinByPlatformSession 200']);
  });

  test('every 409, 429 and 503 has Retry-After', () => {
    expect(withHeader('Retry-After')).toEqual([
      'listItemHistory 429',
      'listItemHistory 503',
      'listXpHistory 429',
      'listXpHistory 503',
      'joinByPlatformSession 409',
    ]);
  });

  test('have a named example for each example of a body', () => {
    for (const [name] of routes) {
      const { responses } = getOperation(name);
      for (const [status, { headers, content }] of Object.entries(responses)) {
        const names = Object.keys(content['application/json'].examples);
        for (const [header, { example, examples }] of Object.entries(headers)) {
          expect([name, status, header, example, Object.keys(examples ?? {})]).toEqual([
            name,
            status,
            header,
            undefined,
            names,
          ]);
        }
      }
    }
  });

  test('of refusals have the Retry-After that the service sends with the code', () => {
    const { responses } = getOperation('joinByPlatformSession');
    const { examples = {} } = responses['409']?.headers['Retry-After'] ?? {};
    const seconds = Object.entries(examples).map(([code, { value }]) => [code, value]);
    expect(Object.fromEntries(seconds)).toEqual({
      team_full: 5,
      session_full: 5,
      instance_unjoinable: 5,
      instance_closed: 5,
      session_busy: 1,
      service_overloaded: 1,
      rate_limited: 1,
    });
  });

  test('every 405 has Allow, every response has a request id', () => {
    expect(withHeader('Allow')).toEqual(routes.map(([name]) => `${name} 405`));
    const all = routes.flatMap(([name, { responses }]) =>
      Object.keys(responses).map((status) => `${name} ${status}`),
    );
    expect(withHeader('X-Request-Id')).toEqual(all);
  });
});

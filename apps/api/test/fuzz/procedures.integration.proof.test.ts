// Fuzzes every procedure of the admin API, from its own schemas and from mutated valid requests. The list is the
// router's.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ListedProcedure } from '../../src/admin/testing/list-procedures.ts';
import { listProcedures } from '../../src/admin/testing/list-procedures.ts';
import { signIn } from '../test-service.ts';
import { checkProcedure } from './check-answer.ts';
import type { FuzzFixture } from './fuzz-fixture.ts';
import { createFuzzFixture } from './fuzz-fixture.ts';
import type { JsonSchema } from './json-schema-arbitrary.ts';
import { arbitraryOf } from './json-schema-arbitrary.ts';
import type { ValidRequest } from './request-arbitrary.ts';
import { requestsLike } from './request-arbitrary.ts';
import { casesOf, runFuzz } from './run-fuzz.ts';

/** Procedures that are not fuzzed, each with its reason. Keep it empty. */
const LEFT_OUT: Record<string, string> = {};

/** With fewer cases it depends on chance whether one of them succeeds. */
const ENOUGH = 100;

/** Rounds, each with other cases. */
const MAX_ROUNDS = 10;

const procedures = listProcedures().filter(({ name }) => !Object.hasOwn(LEFT_OUT, name));

let fixture: FuzzFixture;
let cookie: string;
beforeAll(async () => {
  fixture = await createFuzzFixture();
});
afterAll(() => fixture.close());

const inputsOf = ({ inputs }: ListedProcedure): fc.Arbitrary<unknown> => {
  const schemas = inputs.map(
    (input) => z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema,
  );
  if (schemas.length === 0) return fc.constant(undefined);
  const definitions = Object.assign({}, ...schemas.map(({ $defs }) => $defs));
  const known = (name: string) => fixture.known(name);
  return arbitraryOf(schemas.length === 1 ? (schemas[0] ?? {}) : { allOf: schemas }, {
    known,
    definitions,
  });
};

/** Changes of the own account need a cookie; all other requests use a token with all permissions. */
const credentialOf = ({ meta }: ListedProcedure): [string, string][] =>
  meta?.access === 'person'
    ? [
        ['cookie', cookie],
        ['origin', fixture.service.baseUrl],
      ]
    : [['authorization', fixture.authorization]];

/** One of eight requests is a batch of two. */
const requestsTo = (procedure: ListedProcedure) =>
  fc
    .record({
      inputs: fc.tuple(inputsOf(procedure), inputsOf(procedure)),
      batch: fc.nat(7),
      address: fc.ipV4(),
    })
    .map(({ inputs, batch, address }): ValidRequest => {
      const { name, type } = procedure;
      const [first, second] = inputs;
      const isBatch = batch === 0;
      const input = isBatch ? { 0: first ?? {}, 1: second ?? {} } : first;
      const isQuery = type === 'query';
      return {
        method: isQuery ? 'GET' : 'POST',
        segments: ['admin', 'trpc', isBatch ? `${name},${name}` : name],
        query: [
          ...(isBatch ? [['batch', '1'] as const] : []),
          ...(isQuery && input !== undefined ? [['input', input] as const] : []),
        ],
        headers: [
          ...credentialOf(procedure),
          ['content-type', 'application/json'],
          ['x-forwarded-for', address],
        ],
        ...(!isQuery && { body: input ?? {} }),
      };
    });

describe('every procedure', () => {
  it('is fuzzed, or has a reason not to be', () => {
    const names = listProcedures().map(({ name }) => name);
    expect(Object.keys(LEFT_OUT).filter((name) => !names.includes(name))).toEqual([]);
    expect(procedures.length).toBeGreaterThan(70);
  });

  it.each(procedures.map((procedure, index) => ({ ...procedure, index })))(
    'answers every request to $name in a documented way',
    async ({ index, ...procedure }) => {
      const cases = casesOf(0.5 / procedures.length);
      // Fewer requests consume fewer objects.
      if (cases >= ENOUGH || index % 10 === 0) await fixture.renew();
      const { email, password } = fixture.owner;
      if (procedure.meta?.access === 'person')
        cookie = await signIn(fixture.service.baseUrl, email, password);
      const requests = requestsLike(requestsTo(procedure));
      const run = { title: procedure.name, requests, check: checkProcedure, cases };
      let succeeded = (await runFuzz(fixture, run)).get(200) ?? 0;
      // A procedure that only refuses is not fuzzed in depth. With a hundred cases that may be chance, with a thousand
      // it is not.
      for (let round = 1; cases >= ENOUGH && succeeded === 0 && round < MAX_ROUNDS; round += 1) {
        await fixture.renew();
        succeeded = (await runFuzz(fixture, { ...run, round })).get(200) ?? 0;
      }
      if (cases >= ENOUGH) expect(succeeded).toBeGreaterThan(0);
    },
    300_000,
  );
});

import { readFileSync } from 'node:fs';
import type {
  ItemHistory as ContractItemHistory,
  JoinRequest as ContractJoinRequest,
  PlayerSessions as ContractPlayerSessions,
  ServiceErrorBody as ContractServiceErrorBody,
  Session as ContractSession,
  ValidationErrorBody as ContractValidationErrorBody,
  XpHistory as ContractXpHistory,
  HistoryErrorCode,
  ItemHistoryQuery,
  JoinErrorCode,
  SessionErrorCode,
  SessionListErrorCode,
  XpHistoryQuery,
} from '@muster/contract';
import { expect, expectTypeOf, test } from 'vitest';
import type { z } from 'zod';
import { writeWireTypes } from '../build/generate-types.ts';
import type {
  ErrorCode,
  ItemHistory,
  ItemHistoryRequest,
  JoinRequest,
  PlayerSessions,
  ServiceErrorBody,
  Session,
  ValidationErrorBody,
  XpHistory,
  XpHistoryRequest,
} from '../src/index.ts';

test.each([...writeWireTypes()])('src/wire/%s is what the contract generates', (file, text) => {
  const url = new URL(`../src/wire/${file}`, import.meta.url);
  expect(readFileSync(url, 'utf8')).toBe(text);
});

test('the generated types are those of the schemas', () => {
  expectTypeOf<JoinRequest>().toEqualTypeOf<z.input<typeof ContractJoinRequest>>();
  expectTypeOf<Session>().toEqualTypeOf<z.output<typeof ContractSession>>();
  expectTypeOf<ItemHistory>().toEqualTypeOf<z.output<typeof ContractItemHistory>>();
  expectTypeOf<XpHistory>().toEqualTypeOf<z.output<typeof ContractXpHistory>>();
  expectTypeOf<PlayerSessions>().toEqualTypeOf<z.output<typeof ContractPlayerSessions>>();
  expectTypeOf<ServiceErrorBody>().toEqualTypeOf<z.input<typeof ContractServiceErrorBody>>();
  expectTypeOf<ValidationErrorBody>().toEqualTypeOf<z.output<typeof ContractValidationErrorBody>>();
});

test('the error codes are those of the public endpoints, without those of the admin API', () => {
  type BeforeAnyRoute = 'request_malformed' | 'request_timeout';
  type Companion = SessionErrorCode | SessionListErrorCode;
  expectTypeOf<ErrorCode>().toEqualTypeOf<
    HistoryErrorCode | JoinErrorCode | Companion | BeforeAnyRoute
  >();
});

/** Callers may leave everything out, pass undefined, and pass lists that they do not let go of. */
type AsSent<Query> = {
  [Name in keyof Query]?: Readonly<Query[Name]> | undefined;
};

test('the filters of the histories are those of the contract', () => {
  type Filters<Request> = Omit<Request, 'sandbox_id'>;
  expectTypeOf<Filters<ItemHistoryRequest>>().toEqualTypeOf<AsSent<ItemHistoryQuery>>();
  expectTypeOf<Filters<XpHistoryRequest>>().toEqualTypeOf<AsSent<XpHistoryQuery>>();
});

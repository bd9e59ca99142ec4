import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, test } from 'vitest';
import { writeTypes } from '../build/generate-types.ts';
import type {
  AdminClient,
  Input,
  ListName,
  Output,
  ProcedureName,
  SessionInput,
  SessionWithEtag,
} from '../src/index.ts';

test('src/generated/admin-api.ts is what the document of the admin API generates', () => {
  const url = new URL('../src/generated/admin-api.ts', import.meta.url);
  expect(readFileSync(url, 'utf8')).toBe(writeTypes());
});

test('has every procedure of the document', () => {
  const url = new URL('../../../contracts/openapi-admin.json', import.meta.url);
  const { paths } = JSON.parse(readFileSync(url, 'utf8'));
  const types = writeTypes();
  const missing = Object.keys(paths).filter(
    (path) => !types.includes(`'${path.replace('/admin/trpc/', '')}': { input: `),
  );
  expect(missing).toEqual([]);
});

test('names the input and the output of a procedure', () => {
  expectTypeOf<Input<'sessions.create'>>().toEqualTypeOf<SessionInput>();
  expectTypeOf<Output<'sessions.create'>>().toEqualTypeOf<SessionWithEtag>();
  expectTypeOf<'sessions.unknown'>().not.toExtend<ProcedureName>();
});

test('refuses inputs that the service refuses, and walks only lists', () => {
  const check = (client: AdminClient) => [
    // @ts-expect-error a member is missing
    client.call('sessions.get', { type: 'duel' }),
    // @ts-expect-error the service has no such member
    client.call('sessions.get', { type: 'duel', session_id: 'a', team: 1 }),
    // @ts-expect-error the input is required
    client.call('sessions.get'),
    // @ts-expect-error one session is not a list
    client.pages('sessions.get', { type: 'duel', session_id: 'a' }),
    client.call('system.get'),
  ];
  expectTypeOf(check).toBeFunction();
  expectTypeOf<'sessions.list' | 'players.list' | 'audit.list'>().toExtend<ListName>();
});

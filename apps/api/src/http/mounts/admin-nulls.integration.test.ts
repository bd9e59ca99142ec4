import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { postAuth } from '../../../test/auth-calls.ts';
import type { TestService } from '../../../test/test-service.ts';
import { startTestService } from '../../../test/test-service.ts';
import type { AdminClient } from '../../admin/testing/admin-client.ts';
import { createAdminClient, createSession } from '../../admin/testing/admin-client.ts';
import { listProcedures } from '../../admin/testing/list-procedures.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

/** The members at the top of an input that may be absent and not null, each as null. */
const nullsOf = (inputs: z.ZodType[]): Record<string, null> => {
  const names = inputs.flatMap((input) => {
    const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    return Object.keys(properties).filter((name) => {
      const issues = input.safeParse({ [name]: null }).error?.issues ?? [];
      const absent = input.safeParse({}).error?.issues ?? [];
      const has = (list: z.core.$ZodIssue[]) => list.some(({ path }) => path[0] === name);
      return has(issues) && !has(absent);
    });
  });
  return Object.fromEntries(names.map((name) => [name, null]));
};

const procedures = listProcedures()
  .map(({ name, type, inputs }) => ({ name, type, nulls: nullsOf(inputs) }))
  .filter(({ nulls }) => Object.keys(nulls).length > 0);

test('every procedure answers null for an optional member as it answers its absence', async () => {
  expect(procedures.length).toBeGreaterThan(40);
  for (const { name, type, nulls } of procedures) {
    const ask = type === 'query' ? admin.query : admin.mutate;
    const absent = await ask(name, {});
    const given = await ask(name, nulls);
    expect([name, given.status, given.error]).toEqual([name, absent.status, absent.error]);
  }
});

test('also inside lists and objects; null that clears a value still clears it', async () => {
  const { mutate } = admin;
  const { data: sandbox } = await mutate('sandboxes.create', {
    name: 'Nulls',
    sandbox_id: null,
  });
  const { sandbox_id } = sandbox;
  const create = { operation: 'create', name: 'Sword', item_type: 'unit', tags: null };
  const operations = [{ ...create, description: 'Sharp', reason: null }];
  const { status } = await mutate('items.bulk', { sandbox_id, operations, reason: null });
  expect(status).toBe(200);
  const { data: list } = await admin.query('items.list', { sandbox_id, cursor: null, sort: null });
  const [item] = list.records as { item_id: string }[];
  const edit = { sandbox_id, item_id: item!.item_id, expected_version: 1 };
  const cleared = await mutate('items.update', { ...edit, name: null, description: null });
  expect(cleared.data).toMatchObject({ name: 'Sword', version: 2 });
  expect(cleared.data).not.toHaveProperty('description');
  const team = { max_size: 2, team_id: null, ticket_ids: null, custom_data: null };
  const match = { match_id: 'm', ticket_ids: null, custom_data: null, created: null };
  const { name } = await createSession(admin, { teams: [team], match, instance: null });
  const { data: updated } = await mutate('sessions.update', {
    ...name,
    match: null,
    joinable: null,
    expected_etag: null,
  });
  expect(updated.session).not.toHaveProperty('match');
  expect((await mutate('sessions.setInstance', { ...name, instance: null })).status).toBe(200);
});

test('null for a required member stays an error at its place', async () => {
  const { status, error } = await admin.mutate('players.register', {
    player_uuid: null,
    display_name: null,
  });
  expect([status, error]).toMatchObject([
    400,
    { error_code: 'input_invalid', detail: [{ loc: ['body', 'player_uuid'] }] },
  ]);
  const registered = { player_uuid: randomUUID(), display_name: null, player_id: null };
  expect((await admin.mutate('players.register', registered)).status).toBe(200);
});

test('also when people sign in', async () => {
  const { email, password } = await service.createPerson({ role: 'viewer' });
  const input = { email, password, rememberMe: null };
  const { status } = await postAuth(service.baseUrl, '/sign-in/email', input);
  expect(status).toBe(200);
});

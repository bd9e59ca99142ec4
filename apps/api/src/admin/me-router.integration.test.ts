// The account that a page shows, before and after signing in.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const find = (headers: Parameters<typeof createAdminCaller>[1] = {}) =>
  createAdminCaller(service.baseUrl, headers).query('me.find');

test('returns null without an error when no person is signed in: no cookie, a planted one, an ended sign-in', async () => {
  const { accountId, cookie } = await service.createPerson({ role: 'viewer' });
  expect((await find({ cookie })).data).toMatchObject({ account_id: accountId, role: 'viewer' });
  await service.database.prisma.accountSession.deleteMany({ where: { userId: accountId } });
  const planted = 'muster.session_token=planted.c2lnbmF0dXJl';
  for (const headers of [{}, { cookie: 'theme=dark' }, { cookie: planted }, { cookie }]) {
    expect(await find(headers)).toMatchObject({ status: 200, data: null });
  }
});

test('returns the same as me.get to a person, including a required password change', async () => {
  const { cookie } = await service.createPerson({ role: 'owner', mustChangePassword: true });
  const { data } = await find({ cookie });
  expect(data).toMatchObject({ role: 'owner', must_change_password: true });
  expect(data).toEqual((await createAdminCaller(service.baseUrl, { cookie }).query('me.get')).data);
});

test('returns the reason for refusing a bearer credential', async () => {
  expect(await find({ authorization: 'Bearer msk_wrong' })).toMatchObject({ status: 403 });
  expect((await find({ authorization: 'Bearer a.b.c' })).code).toMatch(/^auth_/);
});

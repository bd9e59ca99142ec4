import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { signIn, startTestService } from '../../test/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const as = (cookie: string) => createAdminCaller(service.baseUrl, { cookie });
type SignIns = { sign_ins: { sign_in_id: string; current?: true }[] };
const listSignIns = async (cookie: string) =>
  (await as(cookie).query<SignIns>('me.signIns')).data.sign_ins;
const actionsOf = async (accountId: string) =>
  (await service.database.prisma.auditRecord.findMany({ where: { accountId } })).map(
    ({ action }) => action,
  );

it('changes the own name in histories and writes an audit record', async () => {
  const { cookie, accountId } = await service.createPerson({ role: 'viewer', name: 'Before' });
  expect((await as(cookie).mutate('me.rename', { name: 'After' })).status).toBe(200);
  expect((await as(cookie).query('me.get')).data).toMatchObject({ name: 'After' });
  const names = await as(cookie).query('accounts.names', { account_ids: [accountId] });
  expect(names.data).toMatchObject({ accounts: [{ name: 'After' }] });
  await as(cookie).mutate('me.rename', { name: 'After' });
  const actions = await actionsOf(accountId);
  expect(actions.filter((action) => action === 'me.rename')).toHaveLength(1);
  expect((await as(cookie).mutate('me.rename', { name: '' })).code).toBe('input_invalid');
});

it('allows every role twenty changes of the own name per hour', async () => {
  const { cookie, accountId } = await service.createPerson({ role: 'viewer' });
  const rename = (name: string) => as(cookie).mutate('me.rename', { name });
  for (let count = 0; count < 20; count += 1) {
    expect((await rename(`Name ${count}`)).status).toBe(200);
  }
  expect(await rename('One more')).toMatchObject({ status: 429, code: 'rate_limited' });
  const actions = await actionsOf(accountId);
  expect(actions.filter((action) => action === 'me.rename')).toHaveLength(20);
  const other = await service.createPerson({ role: 'viewer' });
  expect((await as(other.cookie).mutate('me.rename', { name: 'Other' })).status).toBe(200);
});

it('lists the own sign-ins and ends one of them, or all others', async () => {
  const { cookie, email, password, accountId } = await service.createPerson({ role: 'viewer' });
  const [second, third] = [
    await signIn(service.baseUrl, email, password),
    await signIn(service.baseUrl, email, password),
  ];
  const listed = await listSignIns(second);
  expect(listed).toHaveLength(3);
  expect(listed.filter(({ current }) => current)).toHaveLength(1);

  const own = (await listSignIns(third)).find(({ current }) => current);
  const ended = await as(second).mutate('me.endSignIns', { sign_in_id: own?.sign_in_id });
  expect(ended.data).toEqual({ ended: 1 });
  expect((await as(third).query('me.get')).code).toBe('auth_session_ended');

  expect((await as(second).mutate('me.endSignIns')).data).toEqual({ ended: 1 });
  expect((await as(cookie).query('me.get')).code).toBe('auth_session_ended');
  expect(await listSignIns(second)).toMatchObject([{ current: true }]);
  expect((await as(second).mutate('me.endSignIns')).data).toEqual({ ended: 0 });
  const actions = await actionsOf(accountId);
  expect(actions.filter((action) => action === 'me.endSignIns')).toHaveLength(2);
});

it('refuses to end sign-ins of another person, or with a token', async () => {
  const victim = await service.createPerson({ role: 'viewer' });
  const [theirs] = await listSignIns(victim.cookie);
  const { cookie } = await service.createPerson({ role: 'owner' });
  const tried = await as(cookie).mutate('me.endSignIns', { sign_in_id: theirs?.sign_in_id });
  expect(tried.data).toEqual({ ended: 0 });
  expect(await listSignIns(victim.cookie)).toHaveLength(1);
  const authorization = `Bearer ${await service.signToken({ permissions: ['*'] })}`;
  const token = createAdminCaller(service.baseUrl, { authorization });
  expect((await token.query('me.signIns')).code).toBe('insufficient_permissions');
});

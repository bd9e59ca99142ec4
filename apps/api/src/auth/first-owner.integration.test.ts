import { openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { signIn, startTestService } from '../../test/test-service.ts';
import { ensureFirstOwner } from './first-owner.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(() => service.database.prisma.accountUser.deleteMany());

const EMAIL = 'owner@muster.local';
const keepNothing = async () => {};
const later = () => new Date(Date.now() + 61_000);

it('creates one owner in a new service, whose password works once and must be changed', async () => {
  const owner = await ensureFirstOwner(service.database, EMAIL, keepNothing);
  const cookie = await signIn(service.baseUrl, EMAIL, owner?.oneTimePassword ?? '');
  const me = await fetch(`${service.baseUrl}/admin/trpc/me.get`, { headers: { cookie } });
  expect(await me.json()).toMatchObject({
    result: { data: { role: 'owner', permissions: ['*'], must_change_password: true } },
  });
});

it('creates one owner when several processes start together, and one of them prints the password', async () => {
  const made = await Promise.all(
    Array.from({ length: 4 }, () => ensureFirstOwner(service.database, EMAIL, keepNothing)),
  );
  expect(made.filter((owner) => owner !== null)).toHaveLength(1);
  expect(await service.database.prisma.accountUser.count()).toBe(1);
});

it('prints a new password at each start until the owner has signed in', async () => {
  const first = await ensureFirstOwner(service.database, EMAIL, keepNothing);
  const second = await ensureFirstOwner(
    service.database,
    'ignored@muster.example',
    keepNothing,
    later(),
  );
  expect(second?.email).toBe(EMAIL);
  await expect(signIn(service.baseUrl, EMAIL, first?.oneTimePassword ?? '')).rejects.toThrow(
    'sign_in_refused',
  );
  await signIn(service.baseUrl, EMAIL, second?.oneTimePassword ?? '');
  expect(await ensureFirstOwner(service.database, EMAIL, keepNothing, later())).toBeNull();
});

it('does not store a password that could not be printed, so that the next start makes another', async () => {
  const fail = () => Promise.reject(new Error('The disk is full.'));
  await expect(ensureFirstOwner(service.database, EMAIL, fail)).rejects.toThrow('disk is full');
  expect(await service.database.prisma.accountUser.count()).toBe(0);
  expect(await ensureFirstOwner(service.database, EMAIL, keepNothing)).not.toBeNull();
});

it('adds no owner when there are people', async () => {
  await service.createPerson({ role: 'viewer' });
  expect(await ensureFirstOwner(service.database, EMAIL, keepNothing, later())).toBeNull();
});

it('makes a different password for each database', async () => {
  const other = await createTestDatabase();
  const database = openDatabase({ url: other.url });
  const one = await ensureFirstOwner(service.database, EMAIL, keepNothing);
  const two = await ensureFirstOwner(database, EMAIL, keepNothing);
  expect(one?.oneTimePassword).not.toBe(two?.oneTimePassword);
  await database.close();
  await other.drop();
});

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import { createSignInCleanup } from './sign-in-cleanup.ts';

const NOW = new Date('2026-11-22T12:00:00.000Z');
const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(NOW.getTime() - days * DAY_MS);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

test('deletes expired rows in batches and keeps valid ones', async () => {
  const { prisma } = service.database;
  const { accountId } = await service.createPerson({ role: 'viewer' });
  await prisma.accountSession.deleteMany();
  const expiring = Array.from({ length: 7 }, (_, n) => ({ id: `${n}`, expiresAt: daysAgo(n - 1) }));
  await prisma.accountSession.createMany({
    data: expiring.map((row) => ({ ...row, token: row.id, userId: accountId })),
  });
  await prisma.accountVerification.createMany({
    data: expiring.map((row) => ({ ...row, identifier: row.id, value: 'v' })),
  });
  await prisma.accountInvitation.createMany({
    data: expiring.map(({ id, expiresAt }) => ({
      invitationId: crypto.randomUUID(),
      email: `${id}@muster.example`,
      role: 'viewer',
      tokenDigest: randomBytes(32),
      invitedBy: accountId,
      createdAt: NOW,
      expiresAt,
    })),
  });
  const windows = { 'sign-in:a': 0.9, 'sign-in:b': 1.1, 'signed-in:a': 89, 'signed-in:b': 91 };
  await prisma.accountThrottle.deleteMany();
  await prisma.accountThrottle.createMany({
    data: [
      ...Object.entries(windows).map(([key, days]) => ({ key, days })),
      ...Array.from({ length: 9 }, (_, n) => ({ key: `issuer:${n}`, days: 2 })),
    ].map(({ key, days }) => ({ key, attempts: 1, windowStartedAt: daysAgo(days) })),
  });
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  await createSignInCleanup(service.database, { now: () => NOW, onFailure }).run();
  const counts = [
    prisma.accountSession.count(),
    prisma.accountVerification.count(),
    prisma.accountInvitation.count(),
  ];
  // One expires tomorrow, the other one now.
  expect(await Promise.all(counts)).toEqual([2, 2, 2]);
  const left = await prisma.accountThrottle.findMany({ orderBy: { key: 'asc' } });
  expect(left.map(({ key }) => key)).toEqual(['sign-in:a', 'signed-in:a']);
});

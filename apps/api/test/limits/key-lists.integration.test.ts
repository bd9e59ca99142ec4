import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createAdminClient } from '../../src/admin/testing/admin-client.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const ACCOUNTS = 16;
const KEYS = 80;

type Listed = { name: string; keys: object[] };

test('a list of many large keys has each once, in pages of bounded bytes', async () => {
  // Each key names a hundred sandboxes: some 4 KB, and all of them some 5 MB.
  const sandboxIds = Array.from({ length: 100 }, () => randomUUID());
  const createdAt = new Date();
  const accounts = Array.from({ length: ACCOUNTS }, (_, n) => ({
    ...{ accountId: randomUUID(), name: `Backend "${n}"`, createdAt },
  }));
  const keys = accounts.flatMap(({ accountId }) =>
    Array.from({ length: KEYS }, (_, n) => ({
      ...{ keyId: randomUUID(), accountId, name: `Key ${n}`, prefix: 'msk_12345678' },
      ...{ digest: randomBytes(32), permissions: ['sandbox:config:view'], sandboxIds },
      createdAt,
    })),
  );
  await service.database.prisma.serviceAccount.createMany({ data: accounts });
  await service.database.prisma.serviceKey.createMany({ data: keys });

  const admin = createAdminClient(service);
  const readPages = async (more: object) => {
    const pages: Listed[][] = [];
    for (let cursor: unknown; pages.length === 0 || cursor !== undefined; ) {
      const { data } = await admin.query('keys.list', { ...more, cursor });
      expect(JSON.stringify(data).length).toBeLessThan(5 * 1_048_576);
      pages.push(data.service_accounts as Listed[]);
      ({ cursor } = data.page_meta as { cursor?: string });
    }
    return pages;
  };
  const names = accounts.map(({ name }) => name).sort();
  const pages = await readPages({});
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat().map(({ name }) => name)).toEqual(names);
  expect(pages.flat().every((account) => account.keys.length === KEYS)).toBe(true);
  const short = await readPages({ page_size: 8 });
  expect(short.map((page) => page.length)).toEqual([8, 8]);
  expect(short.flat()).toEqual(pages.flat());
});

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
  const { pool } = service.database;
  await pool.query(
    `INSERT INTO service_account (account_id, name, created_at)
     SELECT gen_random_uuid(), format('Backend "%s"', n), now() FROM generate_series(1, ${ACCOUNTS}) n`,
  );
  await pool.query(
    `INSERT INTO service_key (key_id, account_id, name, prefix, digest, permissions, sandbox_ids, created_at)
     SELECT gen_random_uuid(), account_id, format('Key %s', n), 'msk_12345678',
            sha256(convert_to(account_id::text || n, 'UTF8')), '{sandbox:config:view}',
            (SELECT array_agg(gen_random_uuid()) FROM generate_series(1, 100)), now()
     FROM service_account, generate_series(1, ${KEYS}) n`,
  );

  // Small ones come first: they say nothing about the size of the others.
  await pool.query(
    `INSERT INTO service_account (account_id, name, created_at)
     SELECT gen_random_uuid(), format('A small one %s', n), now() FROM generate_series(10, 39) n`,
  );

  const admin = createAdminClient(service);
  const readPages = async () => {
    const pages: Listed[][] = [];
    for (let cursor: unknown; pages.length === 0 || cursor !== undefined; ) {
      const { data } = await admin.query('keys.list', { cursor });
      expect(JSON.stringify(data).length).toBeLessThan(5 * 1_048_576);
      pages.push(data.service_accounts as Listed[]);
      ({ cursor } = data.page_meta as { cursor?: string });
    }
    return pages;
  };
  const small = Array.from({ length: 30 }, (_, n) => `A small one ${n + 10}`);
  const names = Array.from({ length: ACCOUNTS }, (_, n) => `Backend "${n + 1}"`).sort();
  const pages = await readPages();
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.flat().map(({ name }) => name)).toEqual([...small, ...names]);
  const large = pages.flat().slice(small.length);
  expect(large.every((account) => account.keys.length === KEYS)).toBe(true);
  const { data: short } = await admin.query('keys.list', { page_size: 2 });
  expect(short.service_accounts).toEqual(pages.flat().slice(0, 2));
  expect(short.page_meta).toMatchObject({ page_size: 2, cursor: expect.any(String) });
});

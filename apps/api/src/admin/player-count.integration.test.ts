import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { AdminClient } from './testing/admin-client.ts';
import { createAdminClient } from './testing/admin-client.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

test('counts the players of a list, up to a limit', async () => {
  for (const index of [1, 2, 3]) {
    const player = { player_uuid: randomUUID(), display_name: `Ada ${index}`, player_id: index };
    await admin.mutate('players.register', player);
  }
  const count = async (query?: string) => (await admin.query('players.count', { query })).data;
  expect(await count()).toEqual({ count: 3, is_exact: true });
  expect(await count('aDA 2')).toEqual({ count: 1, is_exact: true });
  expect(await count('3')).toEqual({ count: 1, is_exact: true });
  await service.database.pool.query(
    `INSERT INTO player (player_uuid, display_name, registered_at)
     SELECT gen_random_uuid(), 'Bob', now() FROM generate_series(1, 9998)`,
  );
  expect(await count('bob')).toEqual({ count: 9_998, is_exact: true });
  expect(await count()).toEqual({ count: 10_000, is_exact: false });
});

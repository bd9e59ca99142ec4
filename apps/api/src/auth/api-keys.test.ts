import { narrowToSandboxes, ROLES } from '@muster/contract';
import { expect, test } from 'vitest';
import type { KeyStore } from './api-key-store.ts';
import { createKeyService } from './api-keys.ts';
import type { Grantor } from './grantor.ts';

const KEYS = 200;
const sandboxIds = Array.from(
  { length: 100 },
  (_, index) => `aaaaaaaa-0000-0000-0000-${String(index).padStart(12, '0')}`,
);
const keys = Array.from({ length: KEYS }, (_, index) => ({
  keyId: `k${index}`,
  accountId: 'a',
  name: 'A key',
  prefix: 'msk_',
  digest: new Uint8Array(),
  permissions: [...ROLES.admin],
  sandboxIds,
  createdAt: new Date(0),
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
  successorId: null,
}));
const account = { accountId: 'a', name: 'Backend', createdAt: new Date(0), createdBy: null, keys };

test('a list of keys reads each grant of the caller a few times, not once per grant of each key', async () => {
  let looks = 0;
  const permissions = new Proxy(narrowToSandboxes(ROLES.admin, sandboxIds), {
    get: (grants, property) => {
      looks += typeof property === 'string' && /^\d+$/.test(property) ? 1 : 0;
      return Reflect.get(grants, property);
    },
  });
  const store = { list: async () => [account] } as unknown as KeyStore;
  const service = createKeyService(
    store,
    { read: async () => ({ days: [], last_refusals: [] }) },
    () => new Date(0),
    () => {},
  );
  const grantor = { permissions, sandboxIds } as unknown as Grantor;
  const { accounts } = await service.list(grantor, undefined, 10);
  expect(accounts[0]?.keys).toHaveLength(KEYS);
  expect(looks).toBeLessThan(10 * permissions.length);
});

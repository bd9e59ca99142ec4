import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { ChainedVersion } from './version-chain.ts';
import { hashVersion } from './version-chain.ts';

const FIRST: ChainedVersion = {
  previousHash: null,
  seq: 1,
  sandboxId: '0d8f1a3c-52c4-4a1e-9d0b-6f2f8f1d7a10',
  kind: 'item',
  recordId: '4e5f0a7e-7d0f-4a52-8a0f-2b1c9f3e6d55',
  recordVersion: 1,
  versionId: '018f6d0e-3c1a-7b2e-9f4d-0a1b2c3d4e5f',
  transactionId: '018f6d0e-3c1a-7b2e-9f4d-5f4e3d2c1b0a',
  operation: 'insert',
  accountId: 'editor@example.com',
  reason: null,
  issuedAt: new Date('2026-03-01T12:34:56.789Z'),
  snapshot: '{"name":"Schwert – 剣","tags":["melee"]}',
};

// Frozen: stored hashes depend on the format, so a change here is a change of the format.
const FIRST_HASH = '2e1898f8ea40e219ac803794cf15e1da5e5cc16788986bcee971788bc5dd431d';

test('the hash of a known version is the frozen one', () => {
  expect(hashVersion(FIRST).toString('hex')).toBe(FIRST_HASH);
});

test('an auditor recomputes the hash from the documented format alone', () => {
  const lengthPrefixed = (value: string) => {
    const bytes = Buffer.from(value, 'utf8');
    return Buffer.concat([Buffer.from(bytes.length.toString(16).padStart(16, '0'), 'hex'), bytes]);
  };
  const absent = Buffer.from('ffffffffffffffff', 'hex');
  const { sandboxId, recordId, versionId, transactionId, accountId, snapshot } = FIRST;
  const bytes = Buffer.concat([
    lengthPrefixed('muster-version-1'),
    absent,
    ...['1', sandboxId, 'item', recordId, '1', versionId, transactionId].map(lengthPrefixed),
    ...['insert', accountId].map(lengthPrefixed),
    absent,
    ...['1772368496789', snapshot].map(lengthPrefixed),
  ]);
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(FIRST_HASH);
});

test.each<Partial<ChainedVersion>>([
  { previousHash: new Uint8Array(32) },
  { previousHash: new Uint8Array(0) },
  { seq: 2 },
  { sandboxId: '0d8f1a3c-52c4-4a1e-9d0b-6f2f8f1d7a11' },
  { kind: 'xp' },
  { recordId: '4e5f0a7e-7d0f-4a52-8a0f-2b1c9f3e6d56' },
  { recordVersion: 2 },
  { versionId: '018f6d0e-3c1a-7b2e-9f4d-0a1b2c3d4e60' },
  { transactionId: '018f6d0e-3c1a-7b2e-9f4d-5f4e3d2c1b0b' },
  { operation: 'update' },
  { accountId: 'someone@example.com' },
  { reason: '' },
  { issuedAt: new Date('2026-03-01T12:34:56.790Z') },
  { snapshot: '{"name":"Schwert – 剣", "tags":["melee"]}' },
  { operation: 'inserteditor', accountId: '@example.com' },
])('a version that differs in %o has another hash', (change) => {
  expect(hashVersion({ ...FIRST, ...change }).toString('hex')).not.toBe(FIRST_HASH);
});

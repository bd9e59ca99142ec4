// A catalogue on a new database, and helpers that fill it.

import type { Database } from '@muster/database';
import { hashVersion, openDatabase } from '@muster/database';
import { createTestDatabase } from '@muster/database/testing';
import type { CatalogueOptions } from '../catalogue.ts';
import { createCatalogue } from '../catalogue.ts';

export const ACTOR = { accountId: 'editor-1', requestId: 'request-1', address: '192.0.2.1' };

type Clocks = Pick<CatalogueOptions, 'now' | 'readClock'>;

/** A catalogue without a replica that keeps the content of deleted sandboxes. */
export const createTestCatalogue = (database: CatalogueOptions['database'], clocks: Clocks = {}) =>
  createCatalogue({ database, replica: undefined, deletedSandboxDays: undefined, ...clocks });

export const openTestCatalogue = async (clocks: Clocks = {}) => {
  const { url, drop } = await createTestDatabase();
  const database = openDatabase({ url });
  const catalogue = createTestCatalogue(database, clocks);
  return {
    url,
    database,
    catalogue,
    /** Returns the id of a new, empty sandbox. */
    addSandbox: async (name = 'Live') =>
      (await catalogue.sandboxes.create(ACTOR, { name })).sandbox_id,
    close: async () => {
      await database.close();
      await drop();
    },
  };
};

export type TestCatalogue = Awaited<ReturnType<typeof openTestCatalogue>>;

/** The smallest valid Item. */
export const anItem = (name: string) => ({
  name,
  item_type: 'unit' as const,
  tags: [],
  custom_data: {},
});

/** The smallest valid Xp table. */
export const anXp = (name: string) => ({ name, xp_thresholds: [], custom_data: {} });

// Recomputes the chain of a sandbox from the stored rows, independently of the service.

type StoredChain = {
  /** Positions in order; 1..n without a gap in a valid chain. */
  positions: number[];
  /** Positions whose stored hash differs from that of their content and predecessor. */
  broken: number[];
  /** True when the sandbox has the newest position, its hash and the numbers of versions per kind. */
  headMatches: boolean;
  issuedAt: number[];
};

export const readChain = async ({ prisma }: Database, sandboxId: string): Promise<StoredChain> => {
  const sandbox = await prisma.sandbox.findUniqueOrThrow({ where: { sandboxId } });
  const versions = await prisma.catalogueVersion.findMany({
    where: { sandboxId },
    orderBy: { seq: 'asc' },
  });
  let previousHash: Uint8Array | null = null;
  const broken: number[] = [];
  for (const version of versions) {
    const { version: recordVersion, hash, ...rest } = version;
    const seq = Number(version.seq);
    const expected = hashVersion({
      ...rest,
      previousHash,
      seq,
      recordVersion: Number(recordVersion),
    });
    if (!expected.equals(hash)) broken.push(seq);
    previousHash = hash;
  }
  const countOf = (kind: string) => versions.filter((version) => version.kind === kind).length;
  return {
    positions: versions.map(({ seq }) => Number(seq)),
    broken,
    headMatches:
      Number(sandbox.headSeq) === versions.length &&
      Buffer.compare(sandbox.headHash ?? Buffer.alloc(0), previousHash ?? Buffer.alloc(0)) === 0 &&
      Number(sandbox.itemVersions) === countOf('item') &&
      Number(sandbox.xpVersions) === countOf('xp'),
    issuedAt: versions.map((version) => version.issuedAt.getTime()),
  };
};

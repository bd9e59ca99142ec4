// Reads and writes the schemas of item types, and finds Items whose values may not fit.
import type { SchemaField } from '@muster/contract';
import type { Database, Prisma } from '@muster/database';
import { afterId } from '../pagination.ts';
import type { ItemSchemas } from './item-schema-rules.ts';

export type ItemSchemaRow = Omit<Prisma.ItemSchemaVersionGetPayload<object>, 'fields'> & {
  fields: SchemaField[];
};

/** The schemas of one sandbox within one transaction. */
export type ItemSchemaAccess = {
  /** The schemas in effect. */
  readCurrent(): Promise<ItemSchemas>;
  find(itemType: string): Promise<ItemSchemaRow | null>;
  /** Needs the lock of the sandbox. */
  add(row: Omit<ItemSchemaRow, 'sandboxId'>): Promise<void>;
};

export type CheckedItem = { recordId: string; name: string; version: number; snapshot: string };

export type ItemSchemaStore = {
  /** Null when there is no such sandbox, or it is deleted. The newest version of each type, by type. */
  list(sandboxId: string): Promise<ItemSchemaRow[] | null>;
  /** The newest first, before this version. */
  listVersions(
    query: { sandboxId: string; itemType: string; before: number | null },
    limit: number,
  ): Promise<ItemSchemaRow[]>;
  /** Undeleted Items of every type, by id, after this one. */
  listItems(sandboxId: string, after: string | null, limit: number): Promise<CheckedItem[]>;
};

export const createItemSchemaAccess = (
  transaction: Pick<Prisma.TransactionClient, '$queryRawUnsafe' | 'itemSchemaVersion'>,
  sandboxId: string,
): ItemSchemaAccess => ({
  async readCurrent() {
    const rows = await readNewest(transaction, sandboxId);
    return toSchemas(rows);
  },

  find: async (itemType) =>
    (await transaction.itemSchemaVersion.findFirst({
      where: { sandboxId, itemType },
      orderBy: { version: 'desc' },
    })) as ItemSchemaRow | null,

  async add(row) {
    await transaction.itemSchemaVersion.create({ data: { ...row, sandboxId } });
  },
});

export const createItemSchemaStore = ({ prisma }: Pick<Database, 'prisma'>): ItemSchemaStore => ({
  async list(sandboxId) {
    const where = { sandboxId, deletedAt: null };
    const found = await prisma.sandbox.findUnique({ where, select: { sandboxId: true } });
    return found && readNewest(prisma, sandboxId);
  },

  listVersions: async ({ sandboxId, itemType, before }, limit) =>
    (await prisma.itemSchemaVersion.findMany({
      where: { sandboxId, itemType, ...(before !== null && { version: { lt: before } }) },
      orderBy: { version: 'desc' },
      take: limit,
    })) as unknown as ItemSchemaRow[],

  async listItems(sandboxId, after, limit) {
    const values = [sandboxId, limit, ...(after === null ? [] : [after])];
    const rows = await prisma.$queryRawUnsafe<
      (Omit<CheckedItem, 'version'> & { version: bigint })[]
    >(listItems(after), ...values);
    return rows.map((row) => ({ ...row, version: Number(row.version) }));
  },
});

export const toSchemas = (
  rows: readonly Pick<ItemSchemaRow, 'itemType' | 'fields'>[],
): ItemSchemas =>
  new Map(
    rows
      .filter(({ fields }) => fields.length > 0)
      .map(({ itemType, fields }) => [itemType, fields]),
  );

/** $1 sandbox. The newest version of each type. */
export const READ_NEWEST_SCHEMAS = `SELECT DISTINCT ON (item_type) sandbox_id AS "sandboxId", item_type AS "itemType", version, fields,
  account_id AS "accountId", reason, created_at AS "createdAt", source_sandbox_id AS "sourceSandboxId",
  source_version AS "sourceVersion"
FROM item_schema_version WHERE sandbox_id = $1::uuid ORDER BY item_type, version DESC`;

const readNewest = (
  client: Pick<Prisma.TransactionClient, '$queryRawUnsafe'>,
  sandboxId: string,
): Promise<ItemSchemaRow[]> => client.$queryRawUnsafe(READ_NEWEST_SCHEMAS, sandboxId);

/** $1 sandbox, $2 limit; then the last id. */
const listItems = (
  after: string | null,
): string => `SELECT record_id AS "recordId", name, version, snapshot
FROM catalogue_record
WHERE sandbox_id = $1::uuid AND kind = 'item' AND NOT deleted ${afterId('record_id', '$3', after)}
ORDER BY record_id LIMIT $2::int`;

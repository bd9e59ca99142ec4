// Schemas of item types: versioned, promoted, and compared with the Items of the sandbox.
import { isDeepStrictEqual } from 'node:util';
import type { SchemaField, SchemaProblem } from '@muster/contract';
import { ItemType, listSchemaProblems, SchemaFields, text } from '@muster/contract';
import { z } from 'zod';
import type { Semaphore } from '../../flow/index.ts';
import { createPacer } from '../../flow/index.ts';
import type { Actor } from '../../platform/index.ts';
import { ServiceError } from '../../platform/index.ts';
import type { CatalogueWriter, WriteSources } from '../edits/catalogue-writer.ts';
import { readSnapshot } from '../records/record.ts';
import type { ItemSchemaRow, ItemSchemaStore } from './item-schema-store.ts';
import { toSchemas } from './item-schema-store.ts';

const ExpectedVersion = z.int().min(0).meta({
  description: 'The version on which the change is based; 0 without a schema.',
});
const Reason = text(1, 1_000)
  .optional()
  .meta({ description: 'The reason, shown with the version.' });
const ofType = { item_type: ItemType };

export const ItemSchemaInputs = {
  get: z.object(ofType),
  set: z.object({
    ...ofType,
    fields: SchemaFields,
    expected_version: ExpectedVersion,
    reason: Reason,
  }),
  promote: z.object({
    ...ofType,
    expected_version: ExpectedVersion,
    expected_source_version: z.int().min(1).meta({ description: 'The version to copy.' }),
    reason: Reason,
  }),
};

type InSandbox = { sandbox_id: string };
type Input<Name extends keyof typeof ItemSchemaInputs> = InSandbox &
  z.output<(typeof ItemSchemaInputs)[Name]>;

export type ItemSchemaAnswer = {
  item_type: string;
  /** 0 without a schema. */
  version: number;
  /** Empty when anything fits. */
  fields: SchemaField[];
  /** Absent in version 0. */
  account_id?: string;
  /** RFC 3339; absent in version 0. */
  created?: string;
  reason?: string;
  /** Of a promoted schema. */
  source_sandbox_id?: string;
  source_version?: number;
};

export type UnfitItem = {
  item_id: string;
  name: string;
  item_type: string;
  version: number;
  problems: (SchemaProblem & { value?: string })[];
};

/** Errors of all: sandbox_not_found. Of changes: sandbox_archived, sandbox_busy, item_schema_conflict. */
export type ItemSchemaService = {
  /** Of every type that has had a schema. */
  list(input: InSandbox): Promise<{ schemas: ItemSchemaAnswer[] }>;
  get(input: Input<'get'>): Promise<ItemSchemaAnswer>;
  /** Writes nothing when the fields are the same. Existing Items are unchanged. */
  set(actor: Actor, input: Input<'set'>): Promise<ItemSchemaAnswer>;
  /** Copies a schema into `sandbox_id`. */
  promote(
    actor: Actor,
    input: Input<'promote'> & { source_sandbox_id: string },
  ): Promise<ItemSchemaAnswer>;
  /** The newest first, before this version. */
  history(
    input: Input<'get'>,
    before: number | null,
    pageSize: number,
  ): Promise<{ versions: ItemSchemaAnswer[]; next: number | null }>;
  /**
   * Items with values that do not fit, by id. `next` is where the search continues, null at the end; a page may be
   * empty before that, since it reads a bounded number of Items. Errors: service_unavailable (too many wait).
   */
  problems(
    input: InSandbox & { item_type?: string | undefined },
    after: string | null,
    pageSize: number,
    signal?: AbortSignal,
  ): Promise<{ items: UnfitItem[]; next: string | null }>;
};

/** Items in one statement: each may have a hundred kilobytes. */
const BATCH = 100;
/** Items that one call reads. */
const MAX_READ = 5_000;
/** Of one page of problems: an Item may have 64 of them. */
const PAGE_BYTES = 1_048_576;
/** Characters of a value in a list of problems. */
const MAX_VALUE_LENGTH = 256;

type Parts = {
  store: ItemSchemaStore;
  writer: CatalogueWriter;
  longReads: Semaphore;
  sources: WriteSources;
};

export const createItemSchemaService = ({
  store,
  writer,
  longReads,
  sources: { now },
}: Parts): ItemSchemaService => {
  const readSchemas = async (sandboxId: string): Promise<ItemSchemaRow[]> => {
    const rows = await store.list(sandboxId);
    if (!rows) throw new ServiceError('sandbox_not_found');
    return rows;
  };

  type NewSchema = Pick<ItemSchemaRow, 'itemType' | 'fields' | 'sourceSandboxId' | 'sourceVersion'>;

  const write = (
    actor: Actor,
    action: string,
    {
      sandbox_id,
      expected_version,
      reason,
    }: Pick<Input<'set'>, 'sandbox_id' | 'expected_version' | 'reason'>,
    schema: NewSchema,
  ): Promise<ItemSchemaAnswer> =>
    writer.inTransaction(sandbox_id, async ({ itemSchemas, audit }) => {
      const { itemType, fields } = schema;
      const current = await itemSchemas.find(itemType);
      const version = current?.version ?? 0;
      if (version !== expected_version) throw conflict(version);
      if (isDeepStrictEqual(current?.fields ?? [], fields)) return toAnswer(itemType, current);
      const row = {
        ...schema,
        version: version + 1,
        accountId: actor.accountId,
        reason: reason ?? null,
        createdAt: now(),
      };
      await itemSchemas.add(row);
      const { sourceSandboxId, sourceVersion } = schema;
      const entry = {
        action,
        sandboxId: sandbox_id,
        target: { sandbox_id, item_type: itemType },
        before: { version, keys: (current?.fields ?? []).map(({ key }) => key) },
        after: {
          version: row.version,
          keys: fields.map(({ key }) => key),
          ...(sourceSandboxId !== null && { source_sandbox_id: sourceSandboxId }),
          ...(sourceVersion !== null && { source_version: sourceVersion }),
        },
        ...(reason !== undefined && { reason }),
      };
      await audit(actor, entry, row.createdAt);
      return toAnswer(itemType, row);
    });

  return {
    async list({ sandbox_id }) {
      const rows = await readSchemas(sandbox_id);
      return { schemas: rows.map((row) => toAnswer(row.itemType, row)) };
    },

    async get({ sandbox_id, item_type }) {
      const rows = await readSchemas(sandbox_id);
      return toAnswer(
        item_type,
        rows.find(({ itemType }) => itemType === item_type),
      );
    },

    set: (actor, { item_type, fields, ...place }) =>
      write(actor, 'itemSchemas.set', place, {
        itemType: item_type,
        fields: fields.map(withoutAbsent),
        sourceSandboxId: null,
        sourceVersion: null,
      }),

    async promote(actor, { source_sandbox_id, item_type, expected_source_version, ...place }) {
      if (source_sandbox_id === place.sandbox_id) {
        throw new ServiceError('input_invalid', { desc: 'Name two different sandboxes.' });
      }
      const rows = await readSchemas(source_sandbox_id);
      const source = rows.find(({ itemType }) => itemType === item_type);
      if (source?.version !== expected_source_version) throw conflict(source?.version ?? 0);
      return write(actor, 'itemSchemas.promote', place, {
        itemType: item_type,
        fields: source.fields,
        sourceSandboxId: source_sandbox_id,
        sourceVersion: source.version,
      });
    },

    async history({ sandbox_id: sandboxId, item_type: itemType }, before, pageSize) {
      await readSchemas(sandboxId);
      const rows = await store.listVersions({ sandboxId, itemType, before }, pageSize + 1);
      const page = rows.slice(0, pageSize);
      const last = rows.length > page.length ? page.at(-1) : undefined;
      return {
        versions: page.map((row) => toAnswer(itemType, row)),
        next: last?.version ?? null,
      };
    },

    async problems({ sandbox_id: sandboxId, item_type: wanted }, after, pageSize, signal) {
      const schemas = toSchemas(await readSchemas(sandboxId));
      const isChecked = wanted === undefined ? schemas.size > 0 : schemas.has(wanted);
      if (!isChecked) return { items: [], next: null };
      return longReads(async () => {
        const items: UnfitItem[] = [];
        const pacer = createPacer();
        let [last, bytes] = [after, 0];
        for (let read = 0; read < MAX_READ; read += BATCH) {
          signal?.throwIfAborted();
          const batch = await store.listItems(sandboxId, last, BATCH);
          for (const { recordId, name, version, snapshot } of batch) {
            if (pacer.isDue()) await pacer.rest();
            const { item_type = '', custom_data = {} }: CheckedFields = readSnapshot(snapshot);
            last = recordId;
            if (wanted !== undefined && item_type !== wanted) continue;
            const found = listSchemaProblems(schemas.get(item_type) ?? [], custom_data);
            if (found.length === 0) continue;
            const problems = found.map((problem) => withValue(problem, custom_data));
            const item = { item_id: recordId, name, item_type, version, problems };
            items.push(item);
            bytes += Buffer.byteLength(JSON.stringify(item));
            const isFull = items.length === pageSize || bytes > PAGE_BYTES;
            if (isFull) return { items, next: recordId };
          }
          if (batch.length < BATCH) return { items, next: null };
        }
        return { items, next: last };
      }, signal);
    },
  };
};

type CheckedFields = { item_type?: string; custom_data?: Record<string, string> };

const withValue = (problem: SchemaProblem, customData: Record<string, string>) => {
  const value = Object.hasOwn(customData, problem.key) ? customData[problem.key] : undefined;
  if (value === undefined) return problem;
  const isLong = value.length > MAX_VALUE_LENGTH;
  const shown = isLong ? `${value.slice(0, MAX_VALUE_LENGTH).toWellFormed()}…` : value;
  return { ...problem, value: shown };
};

/** Stored as JSON, where an absent member and an undefined one are the same. */
const withoutAbsent = (field: SchemaField): SchemaField => JSON.parse(JSON.stringify(field));

const conflict = (version: number): ServiceError =>
  new ServiceError('item_schema_conflict', { facts: { current_version: version } });

type ShownVersion = Omit<ItemSchemaRow, 'sandboxId'>;

const toAnswer = (itemType: string, row: ShownVersion | null | undefined): ItemSchemaAnswer =>
  row
    ? {
        item_type: itemType,
        version: row.version,
        fields: row.fields,
        account_id: row.accountId,
        created: row.createdAt.toISOString(),
        ...(row.reason !== null && { reason: row.reason }),
        ...(row.sourceSandboxId !== null && { source_sandbox_id: row.sourceSandboxId }),
        ...(row.sourceVersion !== null && { source_version: row.sourceVersion }),
      }
    : { item_type: itemType, version: 0, fields: [] };

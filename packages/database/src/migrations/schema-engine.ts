// Prisma's schema engine as WebAssembly, which compares schemas for developers; the service itself never loads it.
// Prisma's command line would download a native engine on first use.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import type {
  SqlDriverAdapter,
  SqlMigrationAwareDriverAdapterFactory,
  SqlQuery,
} from '@prisma/driver-adapter-utils';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  DriverAdapterError,
} from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import { openMigrationSession } from './migrate-database.ts';

export type SchemaFile = { path: string; content: string };

type ModuleImports = Record<string, unknown>;

/** The part of the standard's API that is used here; only the browser's type library describes it. */
type WasmRuntime = {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, ModuleImports>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

let loading: Promise<void> | undefined;

/** Opens the engine on a session, which stays the caller's to end. */
export async function openSchemaEngine(
  session: pg.Pool,
  schema: SchemaFile,
): Promise<bindings.SchemaEngine> {
  loading ??= instantiateEngine();
  await loading;
  return bindings.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    ignoreLog,
    bindMigrationAwareSqlAdapterFactory(createAdapterFactory(hideCharColumns(session))),
  );
}

/** The engine's log repeats what its errors say; callers report those. */
function ignoreLog(): void {}

async function instantiateEngine(): Promise<void> {
  listenForPanics();
  const entry = createRequire(import.meta.url).resolve(
    '@prisma/schema-engine-wasm/schema_engine_bg',
  );
  const bytes = await readFile(join(dirname(entry), 'schema_engine_bg.wasm'));
  const runtime = (globalThis as unknown as { WebAssembly: WasmRuntime }).WebAssembly;
  const functions = Object.entries(bindings).filter(([, value]) => typeof value === 'function');
  const { instance } = await runtime.instantiate(bytes, {
    './schema_engine_bg.js': { ...Object.fromEntries(functions), ...timerImports() },
  });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start !== 'function') throw new Error('The schema engine has no start function.');
  start();
}

/** The engine never clears its ten-second lock timer, which would keep a finished process alive. */
function timerImports(): ModuleImports {
  const name = Object.keys(bindings).find((key) => key.startsWith('__wbg_setTimeout_'));
  const start = (callback: () => void, delayMs: number) =>
    setTimeout(callback, delayMs >>> 0).unref();
  return name ? { [name]: start } : {};
}

/** The engine reports a panic through this global before it traps; the message becomes the error's cause. */
function listenForPanics(): void {
  Object.assign(globalThis, {
    PRISMA_WASM_PANIC_REGISTRY: {
      set_message: (message: string) => {
        throw new Error(`Prisma's schema engine failed: ${message}`);
      },
    },
  });
}

/**
 * Replaces three habits of `PrismaPg` that do harm here: it cuts scripts at every semicolon (also inside strings
 * and function bodies), runs the pieces on whatever connection is free, and opens the main database in place of
 * the shadow one when the connection string names a database.
 */
function createAdapterFactory(session: pg.Pool): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connectAdapter(session, async () => {}),
    connectToShadowDb: () => connectShadowAdapter(session),
  };
}

async function connectAdapter(
  session: pg.Pool,
  dispose: () => Promise<void>,
): Promise<SqlDriverAdapter> {
  const adapter = restoreCharColumns(await new PrismaPg(session).connect());
  return Object.assign(adapter, {
    executeScript: (script: string) => executeWholeScript(session, script),
    dispose,
  });
}

/** The script goes to the server as one query, which PostgreSQL runs as one transaction: all of it or nothing. */
async function executeWholeScript(session: pg.Pool, script: string): Promise<void> {
  try {
    await session.query(script);
  } catch (error) {
    throw error instanceof pg.DatabaseError ? toAdapterError(error) : error;
  }
}

function toAdapterError(error: pg.DatabaseError): DriverAdapterError {
  const code = error.code ?? 'N/A';
  return new DriverAdapterError({
    kind: 'postgres',
    code,
    severity: error.severity ?? 'ERROR',
    message: error.message,
    detail: error.detail,
    column: error.column,
    hint: error.hint,
    originalCode: code,
    originalMessage: error.message,
  });
}

/** A fresh database on the same server, gone again when the engine is done with it. */
async function connectShadowAdapter(session: pg.Pool): Promise<SqlDriverAdapter> {
  const name = `muster_shadow_${randomUUID().replaceAll('-', '')}`;
  await session.query(`CREATE DATABASE "${name}" TEMPLATE template0`);
  const url = new URL(session.options.connectionString ?? '');
  url.pathname = `/${name}`;
  const shadow = hideCharColumns(openMigrationSession(url.href));
  return connectAdapter(shadow, async () => {
    await shadow.end();
    await session.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  });
}

// The engine reads PostgreSQL's catalogues, whose one-byte type "char" (oid 18) `PrismaPg` refuses to describe: such
// columns pass it as text and get their true type back afterwards.

const CHAR_OID = 18;
const TEXT_OID = 25;

/** Column numbers of type "char", by the array of rows, which `PrismaPg` hands on as it is. */
const charColumns = new WeakMap<object, number[]>();

function hideCharColumns(pool: pg.Pool): pg.Pool {
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>;
  return Object.assign(pool, {
    query: async (config: pg.QueryConfig) => {
      const result = await query(config);
      if (!Array.isArray(result)) hideInResult(result);
      return result;
    },
  });
}

function hideInResult({ fields, rows }: pg.QueryResult): void {
  const columns = fields.flatMap((field, index) => (field.dataTypeID === CHAR_OID ? [index] : []));
  if (columns.length === 0) return;
  for (const field of fields) {
    if (field.dataTypeID === CHAR_OID) field.dataTypeID = TEXT_OID;
  }
  charColumns.set(rows, columns);
}

function restoreCharColumns(adapter: SqlDriverAdapter): SqlDriverAdapter {
  const queryRaw = adapter.queryRaw.bind(adapter);
  return Object.assign(adapter, {
    queryRaw: async (query: SqlQuery) => {
      const result = await queryRaw(query);
      for (const column of charColumns.get(result.rows) ?? []) {
        result.columnTypes[column] = ColumnTypeEnum.Character;
      }
      return result;
    },
  });
}

// Loads Prisma's schema engine as WebAssembly and opens it on a database, so that the program migrates itself
// without the Prisma command line, whose native engine is downloaded on first use.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg';
import type { MigrationTarget } from './migration-adapter.ts';
import { createMigrationAdapterFactory } from './migration-adapter.ts';
import type { SchemaFile } from './migration-files.ts';

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
  target: MigrationTarget,
  schema: SchemaFile,
): Promise<bindings.SchemaEngine> {
  loading ??= instantiateEngine();
  await loading;
  return bindings.SchemaEngine.new(
    { datamodels: [[schema.path, schema.content]] },
    ignoreLog,
    bindMigrationAwareSqlAdapterFactory(createMigrationAdapterFactory(target)),
  );
}

/** The engine's log repeats what its errors say; migrations report through `onProgress` instead. */
function ignoreLog(): void {}

async function instantiateEngine(): Promise<void> {
  listenForPanics();
  const entry = createRequire(import.meta.url).resolve(
    '@prisma/schema-engine-wasm/schema_engine_bg',
  );
  const bytes = await readFile(join(dirname(entry), 'schema_engine_bg.wasm'));
  const runtime = (globalThis as unknown as { WebAssembly: WasmRuntime }).WebAssembly;
  const { instance } = await runtime.instantiate(bytes, {
    './schema_engine_bg.js': { ...importsOf(bindings), ...timerImports() },
  });
  bindings.__wbg_set_wasm(instance.exports);
  const start = instance.exports.__wbindgen_start;
  if (typeof start !== 'function') throw new Error('The schema engine has no start function.');
  start();
}

function importsOf(module: object): ModuleImports {
  const functions = Object.entries(module).filter(([, value]) => typeof value === 'function');
  return Object.fromEntries(functions);
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

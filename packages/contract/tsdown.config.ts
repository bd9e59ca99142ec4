// Builds the publishable package into dist/: JavaScript and declarations, with a manifest of its own.
// In the repository the contract runs from its source.
import { cp, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { LicenseCollector } from '@muster/licenses';
import { defineConfig } from 'tsdown';
import { writeManifest } from './build/write-manifest.ts';

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const licenses = new LicenseCollector({ artefact: '@muster/contract', root: at('.') });

export default defineConfig({
  entry: { index: 'src/index.ts', schemas: 'src/schemas.ts', openapi: 'src/openapi/index.ts' },
  outDir: 'dist',
  format: 'esm',
  platform: 'neutral',
  target: 'es2023',
  dts: true,
  clean: true,
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
  plugins: [licenses.plugin],
  hooks: {
    'build:done': async () => {
      await cp(at('README.md'), at('dist/README.md'));
      await licenses.write(at('dist'));
      const manifest = JSON.parse(await readFile(at('package.json'), 'utf8'));
      await writeFile(at('dist/package.json'), writeManifest(manifest));
    },
  },
});

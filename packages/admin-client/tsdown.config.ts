import { fileURLToPath } from 'node:url';
import { LicenseCollector } from '@muster/licenses';
import { defineConfig } from 'tsdown';

const root = fileURLToPath(new URL('.', import.meta.url));
const licenses = new LicenseCollector({ artefact: '@muster/admin-client', root });

export default defineConfig({
  entry: ['src/index.ts'],
  // Node.js before 20.19 cannot `require` an ES module.
  format: ['esm', 'cjs'],
  // No runtime's own API: the same file serves Node.js, Bun and Deno.
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  // The sources only: tests import those of other packages, and declarations would be written beside them.
  tsconfig: 'tsconfig.web.json',
  sourcemap: false,
  minify: false,
  clean: true,
  // Names that `exports` can rely on: .js and .d.ts, .cjs and .d.cts.
  fixedExtension: false,
  plugins: [licenses.plugin],
  hooks: { 'build:done': () => licenses.write(root) },
});

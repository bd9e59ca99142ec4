import { defineConfig } from 'tsdown';

export default defineConfig({
  entry: ['src/index.ts'],
  format: 'esm',
  // No runtime's own API: the same file serves browsers, Node.js, Bun and Deno.
  platform: 'neutral',
  target: 'es2022',
  dts: true,
  sourcemap: false,
  minify: false,
  clean: true,
  outExtensions: () => ({ js: '.js', dts: '.d.ts' }),
});

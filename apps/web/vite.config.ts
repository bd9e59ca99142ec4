// How the web app is built, and served while it is being developed.
import { fileURLToPath } from 'node:url';
import { LicenseCollector } from '@muster/licenses';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

/** The service writes a new nonce over this word in every answer (apps/api/src/http/web-mount.ts). */
const NONCE_PLACEHOLDER = 'muster-nonce';

const service = `http://127.0.0.1:${process.env.PORT || 3000}`;

/** The policy of the service, with what Vite needs besides to replace modules in an open page. */
const DEVELOPMENT_POLICY = [
  "default-src 'none'",
  `script-src 'self' 'nonce-${NONCE_PLACEHOLDER}'`,
  `style-src 'self' 'nonce-${NONCE_PLACEHOLDER}'`,
  "img-src 'self' data:",
  "connect-src 'self' ws:",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The licences of what the build contains, beside its page. */
const writeLicenses = (): Plugin => {
  const root = fileURLToPath(new URL('.', import.meta.url));
  const licenses = new LicenseCollector({ artefact: '@muster/web', root });
  return {
    ...licenses.plugin,
    writeBundle: ({ dir = root }) => licenses.write(dir),
  };
};

/** The differ is loaded when something is compared. */
const isLate = (id: string): boolean => /record-diff|jsondiffpatch/.test(id);

export default defineConfig({
  plugins: [
    // Writes src/generated/route-tree.ts from src/routes, as tsr.config.json says.
    tanstackRouter({
      autoCodeSplitting: true,
      codeSplittingOptions: { defaultBehavior: [['component', 'notFoundComponent']] },
    }),
    react(),
    writeLicenses(),
  ],
  html: { cspNonce: NONCE_PLACEHOLDER },
  resolve: {
    // The client is published as built files; its source needs no build before ours.
    alias: {
      '@muster/client': fileURLToPath(
        new URL('../../packages/client/src/index.ts', import.meta.url),
      ),
    },
  },
  build: {
    manifest: 'manifest.json',
    // Older targets would make Vite rewrite light-dark() into something that ignores our switch.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // An inlined file would need `data:` where the policy does not allow it.
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        // The contract's modules only define values: what the page does not use stays out of it.
        moduleSideEffects: (id) => !/\/packages\/(?:contract|client|record-diff)\//.test(id),
      },
      // What many pages need comes in two files. Left alone, a page would load some fifty, most of them smaller than a request.
      output: {
        codeSplitting: {
          minShareCount: 10,
          groups: [
            { name: 'libraries', test: (id) => id.includes('node_modules') && !isLate(id) },
            { name: 'shared', test: (id) => !isLate(id) },
          ],
        },
      },
    },
  },
  server: {
    headers: { 'Content-Security-Policy': DEVELOPMENT_POLICY },
    proxy: Object.fromEntries(
      [
        '^/admin/',
        '^/session/',
        '^/v1/',
        '^/docs',
        '^/openapi',
        '^/healthz',
        '^/readyz',
        '^/THIRD-PARTY-LICENSES',
      ].map((path) => [path, service]),
    ),
  },
});

// Builds the web app, and serves it during development.
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { LicenseCollector } from '@muster/licenses';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vite';

/** The service replaces this placeholder with a new nonce in every response (apps/api/src/http/mounts/web-mount.ts). */
const NONCE_PLACEHOLDER = 'muster-nonce';

const service = `http://127.0.0.1:${process.env.PORT || 3000}`;

/** The service's content security policy, plus what Vite needs for hot module replacement. */
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

/** Adds the licences of all bundled packages to the build. */
const writeLicenses = (): Plugin => {
  const root = fileURLToPath(new URL('.', import.meta.url));
  const licenses = new LicenseCollector({ artefact: '@muster/web', root });
  return {
    ...licenses.plugin,
    writeBundle: ({ dir = root }) => licenses.write(dir),
  };
};

const isServiceReady = (): Promise<boolean> =>
  fetch(`${service}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Prints the address of the pages when they work, below what the service prints. */
const announceWhenReady = (): Plugin => ({
  name: 'announce-when-ready',
  configureServer: (server) => {
    server.httpServer?.once('listening', async () => {
      while (!(await isServiceReady())) await wait(200);
      const url = server.resolvedUrls?.local[0];
      server.config.logger.info(`The pages reload when a file changes. Sign in at ${url}`);
    });
  },
});

/** The differ is loaded on demand. */
const isLate = (id: string): boolean => /record-diff|jsondiffpatch/.test(id);

export default defineConfig({
  plugins: [
    // Writes src/generated/route-tree.ts from src/routes, configured by tsr.config.json.
    tanstackRouter({
      autoCodeSplitting: true,
      codeSplittingOptions: { defaultBehavior: [['component', 'notFoundComponent']] },
    }),
    react(),
    writeLicenses(),
    announceWhenReady(),
  ],
  html: { cspNonce: NONCE_PLACEHOLDER },
  resolve: {
    // The client's package exports built files. Its source needs no build.
    alias: {
      '@muster/client': fileURLToPath(
        new URL('../../packages/client/src/index.ts', import.meta.url),
      ),
    },
  },
  build: {
    manifest: 'manifest.json',
    // For older targets, Vite would rewrite light-dark() so that it ignores our colour scheme switch.
    cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    // Inlined files would need `data:`, which the content security policy does not allow.
    assetsInlineLimit: 0,
    rolldownOptions: {
      treeshake: {
        // The contract's modules have no side effects, so unused exports are removed.
        moduleSideEffects: (id) => !/\/packages\/(?:contract|client|record-diff)\//.test(id),
      },
      // Modules that many pages use are bundled into two files. By default, a page would load about fifty tiny ones.
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
      ]
        // The service compares the Host header with the origin of the page, so the header must stay.
        .map((path) => [path, { target: service, changeOrigin: false }]),
    ),
  },
});

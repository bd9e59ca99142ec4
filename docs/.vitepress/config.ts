// The documentation as a site, built by `node scripts/run.mjs site`. Pages are the Markdown files of the repository that readers need.
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LicenseCollector } from '@muster/licenses';
import type { Plugin } from 'vitepress';
import { defineConfig } from 'vitepress';

const GUIDES = [
  { text: 'Join from Unity', link: '/docs/guides/unity' },
  { text: 'Join from Unreal Engine', link: '/docs/guides/unreal' },
  { text: 'Join from Godot', link: '/docs/guides/godot' },
  { text: 'Join from a web client', link: '/docs/guides/web-client' },
  { text: 'After the join', link: '/docs/guides/companion' },
  { text: 'Generated clients', link: '/docs/clients/README' },
  { text: 'Generated clients of the admin API', link: '/docs/clients/admin' },
  { text: 'Game backends', link: '/docs/guides/backends' },
  { text: 'Webhooks', link: '/docs/guides/webhooks' },
  { text: 'Live operations', link: '/docs/guides/live-ops' },
  { text: 'Pacts in CI', link: '/docs/contract' },
  { text: 'Pacts in Python', link: '/docs/guides/pact-python' },
  { text: 'Pacts in Java', link: '/docs/guides/pact-java' },
  { text: 'Stubs', link: '/docs/guides/stubs' },
  { text: 'Identity providers', link: '/docs/guides/identity-providers' },
  { text: 'Deploy', link: '/docs/guides/deploy' },
  { text: 'Managed PostgreSQL', link: '/docs/guides/managed-postgresql' },
  { text: 'PgBouncer', link: '/docs/guides/pgbouncer' },
  { text: 'Scale', link: '/docs/scaling' },
  { text: 'Operate', link: '/docs/operations' },
  { text: 'Service-level objectives', link: '/docs/guides/slo' },
  { text: 'An owner cannot sign in', link: '/docs/operations/owner-recovery' },
];

const REFERENCE = [
  { text: 'REST interface', link: '/docs/interface' },
  { text: 'Admin API', link: '/docs/admin-api' },
  { text: 'Rules of the admin API', link: '/docs/admin-rules' },
  { text: 'Export and import of files', link: '/docs/admin-files' },
  { text: 'Settings', link: '/docs/reference/settings' },
  { text: 'Errors', link: '/docs/reference/errors' },
  { text: 'Limits', link: '/docs/limits' },
  { text: 'Sizes', link: '/docs/operations/sizes' },
  { text: 'Bounds of inputs', link: '/docs/reference/bounds' },
  { text: 'Metrics', link: '/docs/operations/metrics' },
  { text: 'Provider states', link: '/contracts/provider-states' },
  { text: 'Runtimes', link: '/docs/runtimes' },
];

const WHY = [
  { text: 'Guarantees', link: '/docs/why/guarantees' },
  { text: 'Compared with others', link: '/docs/why/comparison' },
  { text: 'Benchmarks', link: '/docs/benchmarks' },
];

/** Files that pages link to, for operators without a clone. */
const DOWNLOADS = [
  'contracts/openapi-admin.json',
  'contracts/openapi-companion.json',
  'deploy/compose.yaml',
  'deploy/helm/values.yaml',
  'docs/scaling/nginx.conf',
];

const HERE = fileURLToPath(new URL('../package.json', import.meta.url));

/** Pages outside of this folder, such as SECURITY.md, find the packages of the site as if they stood in it. */
const findOwnPackages: Plugin = {
  name: 'find-own-packages',
  enforce: 'pre',
  resolveId(source, importer, options) {
    if (!/^vue(?:\/|$)/.test(source) || importer === HERE) return null;
    // While pages are rendered, Node.js resolves it from the folder of the built pages.
    if (options.ssr) return { id: source, external: true };
    return this.resolve(source, HERE, { ...options, skipSelf: true });
  },
};

const licenses = new LicenseCollector({
  artefact: 'The documentation of Muster',
  root: fileURLToPath(new URL('..', import.meta.url)),
});

/** Of the two builds, the one that readers get. */
const collectLicenses: Plugin = {
  ...licenses.plugin,
  apply: (_, { isSsrBuild }) => !isSsrBuild,
};

export default defineConfig({
  title: 'Muster',
  description: 'Self-hosted multiplayer sessions and version history for games.',
  lang: 'en',
  // The path under which a host serves the site, with slashes around it.
  base: process.env.SITE_BASE ?? '/',
  srcDir: '..',
  srcExclude: [
    '**/node_modules/**',
    'apps/**',
    'packages/{bench,conformance,database,contract,record-diff}/**',
    '.*/**',
    'README.md',
    '**/.*/**',
  ],
  rewrites: { 'docs/index.md': 'index.md' },
  cleanUrls: true,
  lastUpdated: false,
  buildEnd: async ({ outDir, srcDir }) => {
    for (const file of DOWNLOADS) await cp(join(srcDir, file), join(outDir, file));
    licenses.addNotices(await readFile(join(srcDir, 'docs/.vitepress/inter.LICENSE.txt'), 'utf8'));
    await licenses.write(outDir);
  },
  vite: { plugins: [findOwnPackages, collectLicenses] },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/docs/start' },
      { text: 'Concepts', link: '/docs/concepts' },
      { text: 'Guides', items: GUIDES },
      { text: 'Reference', items: REFERENCE },
      { text: 'Why', items: WHY },
    ],
    sidebar: [
      {
        items: [
          { text: 'Start in five minutes', link: '/docs/start' },
          { text: 'Concepts', link: '/docs/concepts' },
        ],
      },
      { text: 'Guides', items: GUIDES },
      { text: 'Reference', items: REFERENCE },
      { text: 'Why Muster', items: WHY },
      {
        text: 'The project',
        collapsed: true,
        items: [
          { text: 'Architecture', link: '/ARCHITECTURE' },
          { text: 'Contributing', link: '/CONTRIBUTING' },
          { text: 'Security', link: '/SECURITY' },
          { text: 'Changelog', link: '/CHANGELOG' },
          { text: 'Licences', link: '/THIRD-PARTY-LICENSES.txt', target: '_blank' },
        ],
      },
    ],
  },
});

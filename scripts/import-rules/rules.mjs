// The import rules that depend on the file that is meant, or on types. import-rules.test.ts proves each of them with a case. Biome
// enforces those between the folders of the API and of the web app, and finds circular imports (biome.json).
/** @typedef {import('./check-imports.mjs').Import} Import */

/**
 * A rule forbids the imports for which `isBroken` is true.
 * @typedef {{ name: string, because: string, isBroken: (edge: Import) => boolean }} ImportRule
 */

const CONTRACT_LIBRARIES = ['zod', '@ts-rest/core'];
/** The document builder is an entry of its own, which clients and requests never load. */
const OPENAPI_FOLDER = 'packages/contract/src/openapi/';
const EXAMPLES_FOLDER = 'contracts/examples/';
const PUBLISHED = /^(?:packages|@muster)\/(?:admin-client|client|contract|pact-kit)(?:\/|$)/;
const DATABASE_LIBRARIES = /^(?:pg$|pg\/|@prisma\/|@muster\/database)/;
/** What a browser may load of this repository; types of the admin router come on top. */
const FOR_BROWSERS = /^(?:packages|@muster)\/(?:client|contract|record-diff)(?:\/|$)/;
const ADMIN_ROUTER = 'apps/api/src/admin/router.ts';
/** `secrets.ts` keeps its files in the data folder, which the database makes. */
const WIRING = /^apps\/api\/src\/(?:cli\/|main\.ts$|compose\.ts$|platform\/secrets\.ts$)/;

/** Runs before any package is installed. */
const COMMANDS = 'scripts/run.mjs';
const TRACERS = ['apps/api/src/telemetry/tracing.ts', 'apps/api/src/telemetry/otlp-metrics.ts'];
const LOADS_TRACER = 'apps/api/src/telemetry/load-tracing.ts';

/** @param {string} path */
const isTest = (path) =>
  /\.(?:test|test-d)\.tsx?$|(?:^|\/)(?:test|testing)\/|vitest\.config/.test(path);

/** @param {string} path @returns {string | undefined} e.g. `apps/api` */
const workspaceOf = (path) =>
  /^(?:apps|packages|contracts\/examples)\/[^/]+|^scripts(?=\/)/.exec(path)?.[0];

/** @param {string} path @param {...string} roles */
const hasRole = (path, ...roles) => roles.some((role) => path.endsWith(`-${role}.ts`));

/** @type {ImportRule[]} */
export const IMPORT_RULES = [
  {
    name: 'packages-import-neither-apps-nor-scripts',
    because: 'a package serves every app, and must work without any of them and without our tools',
    isBroken: ({ from, to }) =>
      from.startsWith('packages/') && /^(?:apps\/|scripts\/|@muster\/(?:api|scripts))/.test(to),
  },
  {
    name: 'workspaces-meet-through-their-package-names',
    because:
      'the `exports` of a package are its public surface, and a relative path walks around it',
    isBroken: (edge) =>
      edge.request.startsWith('.') &&
      !isTest(edge.from) &&
      edge.from !== COMMANDS &&
      workspaceOf(edge.from) !== workspaceOf(edge.to),
  },
  {
    name: 'only-stores-and-wiring-import-the-database',
    because: 'queries stay in one kind of file; a type of the database may be named elsewhere',
    isBroken: ({ from, to, typeOnly }) =>
      from.startsWith('apps/') &&
      !typeOnly &&
      !isTest(from) &&
      !hasRole(from, 'store') &&
      !WIRING.test(from) &&
      (to.startsWith('packages/database/') || DATABASE_LIBRARIES.test(to)),
  },
  {
    name: 'contract-imports-only-zod-and-ts-rest',
    because: 'clients, tools and browsers load the contract too',
    isBroken: ({ from, to }) =>
      from.startsWith('packages/contract/src/') &&
      !isTest(from) &&
      !to.startsWith('packages/contract/') &&
      !CONTRACT_LIBRARIES.includes(to) &&
      !(from.startsWith(OPENAPI_FOLDER) && to === 'zod-openapi'),
  },
  {
    name: 'only-the-openapi-entry-loads-the-document-builder',
    because: 'importing the contract would otherwise load a library that only documents need',
    isBroken: ({ from, to, typeOnly }) =>
      from.startsWith('packages/contract/src/') &&
      !from.startsWith(OPENAPI_FOLDER) &&
      !typeOnly &&
      to.startsWith(OPENAPI_FOLDER),
  },
  {
    name: 'conformance-sees-only-the-contract',
    because: 'the suite proves any base URL from the outside, whatever answers there',
    isBroken: ({ from, to }) =>
      from.startsWith('packages/conformance/') &&
      !/^packages\/(?:conformance|contract)\//.test(to) &&
      (workspaceOf(to) !== undefined || to.startsWith('@muster/') || DATABASE_LIBRARIES.test(to)),
  },
  {
    name: 'only-the-tracer-loads-opentelemetry',
    because:
      'a process without OpenTelemetry must not spend memory or start-up time on it, so one file loads it on demand',
    isBroken: ({ from, to, typeOnly }) =>
      !typeOnly &&
      !isTest(from) &&
      !TRACERS.includes(from) &&
      (to.startsWith('@opentelemetry/') || (TRACERS.includes(to) && from !== LOADS_TRACER)),
  },
  {
    name: 'client-has-no-runtime-dependency',
    because: 'it is published on its own, for runtimes that share nothing but web APIs',
    isBroken: ({ from, to }) =>
      /^packages\/(?:admin-)?client\/src\//.test(from) &&
      !isTest(from) &&
      !to.startsWith(`${workspaceOf(from)}/src/`),
  },
  {
    name: 'examples-see-only-what-is-published',
    because: 'they represent programs of other teams, who have the packages and not the repository',
    isBroken: ({ from, to }) =>
      from.startsWith(EXAMPLES_FOLDER) &&
      workspaceOf(to) !== workspaceOf(from) &&
      (to.startsWith('apps/') || to.startsWith('packages/') || to.startsWith('@muster/')) &&
      !PUBLISHED.test(to),
  },
  {
    name: 'requests-flow-from-route-to-service-to-store',
    because: 'a store that calls a service, or a service that knows its route, cannot be reused',
    isBroken: ({ from, to }) =>
      (hasRole(from, 'store') && hasRole(to, 'service', 'route', 'router')) ||
      (hasRole(from, 'service') && hasRole(to, 'route', 'router')),
  },
  {
    name: 'production-code-never-imports-test-code',
    because: 'test helpers start databases and are not installed in production',
    isBroken: ({ from, to }) =>
      !isTest(from) &&
      !/^(?:scripts|packages\/bench)\//.test(from) &&
      (isTest(to) || to === 'vitest' || to === 'fast-check'),
  },
  {
    name: 'client-code-imports-the-admin-router-as-type-only',
    because: 'its types describe the API; its code would drag the whole service along',
    isBroken: ({ from, to, typeOnly }) =>
      !from.startsWith('apps/api/') && to === ADMIN_ROUTER && !typeOnly && !isTest(from),
  },
  {
    name: 'web-loads-only-what-browsers-can',
    because: 'the page gets the contract, the client and the differ; of the service only types',
    isBroken: ({ from, to, typeOnly }) =>
      from.startsWith('apps/web/src/') &&
      !isTest(from) &&
      (to.startsWith('node:') ||
        (to === '@trpc/server' && !typeOnly) ||
        (workspaceOf(to) !== 'apps/web' &&
          (workspaceOf(to) !== undefined || to.startsWith('@muster/')) &&
          to !== ADMIN_ROUTER &&
          !FOR_BROWSERS.test(to))),
  },
];

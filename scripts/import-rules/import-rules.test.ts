// Each rule is broken once in a small repository made for the purpose, and kept once.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../setup/repository.mjs';
import { checkImports } from './check-imports.mjs';
import { IMPORT_RULES } from './rules.mjs';

const MANIFESTS = {
  'apps/api/package.json': {
    name: '@muster/api',
    exports: { './admin-router': './src/admin/router.ts' },
  },
  'packages/contract/package.json': {
    name: '@muster/contract',
    exports: { '.': './src/index.ts' },
  },
  'packages/database/package.json': {
    name: '@muster/database',
    exports: { '.': './src/index.ts', './testing': './src/testing/index.ts' },
  },
};

/** rule → [file, forbidden statement, file, allowed statement] */
const CASES: Record<string, [string, string, string, string]> = {
  'packages-import-neither-apps-nor-scripts': [
    'packages/database/src/a.ts',
    "import type { Router } from '@muster/api/admin-router';",
    'packages/database/src/a.ts',
    "import { Pool } from 'pg';",
  ],
  'workspaces-meet-through-their-package-names': [
    'packages/bench/src/a.ts',
    "import { Session } from '../../contract/src/session.ts';",
    'packages/bench/src/a.ts',
    "import { Session } from '@muster/contract';",
  ],
  'only-stores-and-wiring-import-the-database': [
    'apps/api/src/sessions/join-service.ts',
    "import { type Database, openDatabase } from '@muster/database';",
    'apps/api/src/sessions/join-service.ts',
    "import { type Database } from '@muster/database';",
  ],
  'contract-imports-only-zod-and-ts-rest': [
    'packages/contract/src/a.ts',
    "import { createHash } from 'node:crypto';",
    'packages/contract/src/a.ts',
    "import { z } from 'zod';",
  ],
  'only-the-openapi-entry-loads-the-document-builder': [
    'packages/contract/src/a.ts',
    "import { buildOpenApi } from './openapi/build-openapi.ts';",
    'packages/contract/src/openapi/a.ts',
    "import { createDocument } from 'zod-openapi'; import './build-openapi.ts';",
  ],
  'conformance-sees-only-the-contract': [
    'packages/conformance/src/a.ts',
    "import type { Database } from '@muster/database';",
    'packages/conformance/src/a.ts',
    "import { router } from '@muster/contract';",
  ],
  'only-the-tracer-loads-opentelemetry': [
    'apps/api/src/sessions/a.ts',
    "import { trace } from '@opentelemetry/api';",
    'apps/api/src/telemetry/tracing.ts',
    "import { trace } from '@opentelemetry/api';",
  ],
  'client-has-no-runtime-dependency': [
    'packages/admin-client/src/a.ts',
    "import type { Session } from '@muster/client';",
    'packages/client/src/a.ts',
    "import type { Session } from './wire/session-types.ts';",
  ],
  'examples-see-only-what-is-published': [
    'contracts/examples/game/src/a.ts',
    "import { openDatabase } from '@muster/database';",
    'contracts/examples/game/src/a.ts',
    "import { createMusterClient } from '@muster/client'; import { z } from 'zod';",
  ],
  'requests-flow-from-route-to-service-to-store': [
    'apps/api/src/sessions/join-store.ts',
    "import type { JoinService } from './join-service.ts';",
    'apps/api/src/sessions/join-service.ts',
    "import type { JoinStore } from './join-store.ts';",
  ],
  'production-code-never-imports-test-code': [
    'apps/api/src/sessions/join-store.ts',
    "const testing = await import('@muster/database/testing');",
    'apps/api/src/sessions/join-store.test.ts',
    "const testing = await import('@muster/database/testing');",
  ],
  'client-code-imports-the-admin-router-as-type-only': [
    'apps/web/src/a.ts',
    "import { adminRouter } from '@muster/api/admin-router';",
    'apps/web/src/a.ts',
    "import type { AdminRouter } from '@muster/api/admin-router';",
  ],
  'web-loads-only-what-browsers-can': [
    'apps/web/src/a.tsx',
    "import { runConformance } from '@muster/conformance';",
    'apps/web/src/a.tsx',
    "import { permits } from '@muster/contract'; import type { AdminRouter } from '@muster/api/admin-router';",
  ],
};

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'muster-import-rules-'));
  for (const [path, manifest] of Object.entries(MANIFESTS)) write(path, JSON.stringify(manifest));
});
afterAll(() => rmSync(root, { recursive: true }));

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function namesOfBrokenRules(files: Record<string, string>) {
  for (const [path, text] of Object.entries(files)) write(path, text);
  const violations = checkImports(root, [...Object.keys(MANIFESTS), ...Object.keys(files)]);
  return violations.map((violation) => violation.split(':')[0]);
}

describe('import rules', () => {
  test('every rule has a case here', () => {
    expect(Object.keys(CASES).sort()).toEqual(IMPORT_RULES.map((rule) => rule.name).sort());
  });

  test.each(Object.entries(CASES))('%s', (rule, [from, forbidden, allowedFrom, allowed]) => {
    expect(namesOfBrokenRules({ [from]: forbidden })).toEqual([rule]);
    expect(namesOfBrokenRules({ [allowedFrom]: allowed })).toEqual([]);
  });

  test('packages do not import scripts', () => {
    const text = "import { ROOT } from '@muster/scripts/setup/repository.mjs';";
    expect(namesOfBrokenRules({ 'packages/server/tsdown.config.ts': text })).toEqual([
      'packages-import-neither-apps-nor-scripts',
    ]);
  });

  test('a file that does not parse is an error, not a file without imports', () => {
    expect(() => namesOfBrokenRules({ 'scripts/a.ts': 'import {' })).toThrow('scripts/a.ts');
  });
});

/** Lists those of the files that Biome refuses, by path. */
function listRefused(rule: string, files: Record<string, string>) {
  const config = JSON.parse(readFileSync(join(ROOT, 'biome.json'), 'utf8'));
  write('biome.json', JSON.stringify({ ...config, vcs: {} }));
  for (const [file, text] of Object.entries(files)) write(file, text);
  const lint = ['lint', `--only=${rule}`, '--reporter=github', ...Object.keys(files)];
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/biome'), lint, {
    cwd: root,
    encoding: 'utf8',
  });
  return Object.keys(files).filter((file) => stdout.includes(`/${file},`));
}

const REFUSED = {
  'apps/api/src/platform/a.ts': "import type { Caller } from '../auth/index.ts';",
  'apps/api/src/auth/a.ts': "import { SessionQueue } from '../sessions/index.ts';",
  'apps/api/src/sessions/a.ts': "import type { Item } from '../catalogue/index.ts';",
  'apps/api/src/catalogue/a.ts': "import type { Join } from '../sessions/index.ts';",
  'apps/api/src/catalogue/b/a.ts': "import type { Join } from '../../sessions/index.ts';",
  'apps/api/src/admin/a.ts': "import { createApp } from '../http/index.ts';",
  'apps/api/src/http/a.ts': "import { createService } from '../compose.ts';",
  'apps/api/src/sessions/b.ts': "export { ServiceError } from '../platform/errors.ts';",
  'apps/web/src/api/a.ts': "import { Page } from '../ui/page.tsx';",
  'apps/web/src/ui/a.tsx': "import { KeyDetails } from '../features/keys/key-details.tsx';",
  'apps/web/src/features/keys/a.tsx': "import { Route } from '../../routes/_app/keys.tsx';",
};
const ALLOWED = {
  'apps/api/src/catalogue/b/b.ts': "import '../c/d.ts'; import '../../flow/index.ts';",
  'apps/api/src/sessions/c.ts': "export { ServiceError } from '../platform/index.ts';",
  'apps/api/src/http/c.ts': "import './server.ts'; import '../admin/index.ts';",
  'apps/api/src/sessions/c.test.ts':
    "import '../platform/errors.ts'; import '../catalogue/index.ts';",
  'apps/web/src/features/keys/c.tsx':
    "import { Page } from '../../ui/page.tsx'; import { createFileRoute } from '@tanstack/react-router';",
  'apps/web/src/routes/_app/c.tsx':
    "import { KeyDetails } from '../../features/keys/key-details.tsx'; import '../../ui/page.tsx';",
};

test('Biome refuses imports of folders above, of folders beside, and past an index', () => {
  const rule = 'style/noRestrictedImports';
  expect(listRefused(rule, { ...REFUSED, ...ALLOWED })).toEqual(Object.keys(REFUSED));
});

test.each(["import './a.ts';", "import type { A } from './a.ts';"])(
  'Biome refuses circular imports, also over three files and for types alone: %s',
  (last) => {
    const circle = {
      'scripts/a.ts': "import './b.ts';",
      'scripts/b.ts': "export * from './c.ts';",
    };
    const rule = 'suspicious/noImportCycles';
    expect(listRefused(rule, { ...circle, 'scripts/c.ts': last })).not.toEqual([]);
    expect(listRefused(rule, { ...circle, 'scripts/c.ts': "import 'zod';" })).toEqual([]);
  },
);

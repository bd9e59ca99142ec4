// Each rule is broken once in a small repository made for the purpose, and kept once.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
  'packages-never-import-apps': [
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
    'apps/api/src/join/join-service.ts',
    "import { type Database, openDatabase } from '@muster/database';",
    'apps/api/src/join/join-service.ts',
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
    'apps/api/src/join/a.ts',
    "import { trace } from '@opentelemetry/api';",
    'apps/api/src/observability/open-tracing.ts',
    "import { trace } from '@opentelemetry/api';",
  ],
  'client-has-no-runtime-dependency': [
    'packages/client/src/a.ts',
    "import type { Session } from '@muster/contract';",
    'packages/client/src/a.ts',
    "import type { Session } from './wire/session-types.ts';",
  ],
  'examples-see-only-what-is-published': [
    'contracts/examples/game/src/a.ts',
    "import { openDatabase } from '@muster/database';",
    'contracts/examples/game/src/a.ts',
    "import { createMusterClient } from '@muster/client'; import { z } from 'zod';",
  ],
  'features-meet-through-their-index': [
    'apps/api/src/join/join-route.ts',
    "export { seat } from '../sessions/session-state.ts';",
    'apps/api/src/join/join-route.ts',
    "export { seat } from '../sessions/index.ts'; import '../errors/service-error.ts';",
  ],
  'requests-flow-from-route-to-service-to-store': [
    'apps/api/src/join/join-store.ts',
    "import type { JoinService } from './join-service.ts';",
    'apps/api/src/join/join-service.ts',
    "import type { JoinStore } from './join-store.ts';",
  ],
  'production-code-never-imports-test-code': [
    'apps/api/src/join/join-store.ts',
    "const testing = await import('@muster/database/testing');",
    'apps/api/src/join/join-store.test.ts',
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
  'areas-of-the-web-share-through-components': [
    'apps/web/src/routes/keys/keys-page.tsx',
    "import { Board } from '../sessions/board.tsx';",
    'apps/web/src/routes/keys/keys-page.tsx',
    "import { Page } from '../../components/page.tsx'; import { sandboxRoute } from '../sandbox/sandbox-route.tsx';",
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

  test('no-circular-imports, also over three files, but circles of types alone are fine', () => {
    const circle = {
      'scripts/a.ts': "import './b.ts';",
      'scripts/b.ts': "export * from './c.ts';",
    };
    expect(namesOfBrokenRules({ ...circle, 'scripts/c.ts': "import './a.ts';" })).toEqual([
      'no-circular-imports',
    ]);
    expect(
      namesOfBrokenRules({ ...circle, 'scripts/c.ts': "import type { A } from './a.ts';" }),
    ).toEqual([]);
  });

  test('a file that does not parse is an error, not a file without imports', () => {
    expect(() => namesOfBrokenRules({ 'scripts/a.ts': 'import {' })).toThrow('scripts/a.ts');
  });
});

// Writes the reference pages that are made from the code. With --check it writes nothing and answers 1 when one is out of date.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { ErrorCode } from '@muster/contract';
import {
  ERROR_CATALOGUE,
  ERROR_CODES,
  HISTORY_ERROR_CODES,
  isAuthenticationFailure,
  JOIN_ERROR_CODES,
  statusOfJoinError,
} from '@muster/contract';
import { ROOT, readRepositoryFile } from '../openapi/write-documents.ts';
import type { Input } from './bounds-page.ts';
import { composeBoundsPage } from './bounds-page.ts';
import type { ReferenceLimit, ReferenceSetting } from './limits-page.ts';
import { composeLimitsPage } from './limits-page.ts';
import type { ReferenceMetric } from './metrics-page.ts';
import { composeMetricsPage } from './metrics-page.ts';

const SETTINGS = (tables: string) => `# Settings

Environment variables. In a clone they may also be in a file \`.env\` in its root. The service checks each one when it
starts, names every wrong one, and does not start with it. An empty value counts as unset. \`muster settings\` prints this list;
\`muster doctor\` checks the values that are set and lists what to change.

Without any \`AUTH_…\` setting the service makes a random secret in \`DATA_DIR\` and listens on loopback only.

${tables}`;

const ERRORS = (tables: string) => `# Errors

Every error but 422 has the body \`{"auth_success": true, "error_code": "…", "desc": "…"}\`; procedures of the
[admin API](../admin-api.md#errors) say the same in \`error.data\`. Codes are stable, sentences may change, and later versions
may add codes: treat an unknown one by its status. \`auth_success: false\` asks the client to refresh its token and send the
request again. Every 409 of the public endpoints, 429 and 503 carries \`Retry-After\` in seconds.

A request whose shape is wrong is 422 with every problem and its place:
\`{"detail": [{"loc": ["body", "team_id"], "msg": "Field is required", "type": "value_error.missing"}]}\`.

${tables}`;

const statusOfError = (code: ErrorCode): number => ERROR_CATALOGUE[code].status;

const codesTable = (
  title: string,
  codes: readonly ErrorCode[],
  statusOf: (code: ErrorCode) => number,
): string => {
  const rows = codes.map((code) => {
    const refresh = isAuthenticationFailure(code) ? 'false' : 'true';
    return `| \`${code}\` | ${statusOf(code)} | ${refresh} | ${ERROR_CATALOGUE[code].desc} |`;
  });
  const head = ['| `error_code` | Status | `auth_success` | `desc` |', '|---|---|---|---|'];
  return [`## ${title}`, '', ...head, ...rows, ''].join('\n');
};

const errorTables = (): string => {
  const named = new Set<ErrorCode>([...JOIN_ERROR_CODES, ...HISTORY_ERROR_CODES]);
  return [
    codesTable('Joins', JOIN_ERROR_CODES, statusOfJoinError),
    codesTable('Histories', HISTORY_ERROR_CODES, statusOfError),
    codesTable(
      'Admin API and HTTP',
      ERROR_CODES.filter((code) => !named.has(code)),
      statusOfError,
    ),
  ].join('\n');
};

const run = (program: string, ...args: string[]): string =>
  execFileSync(process.execPath, [program, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 24,
  });

const settingTables = (): string => run('apps/api/src/cli/muster.ts', 'settings', '--markdown');

const { metrics, inputs, limits, costs, settings } = JSON.parse(
  run('apps/api/test/print-reference.ts'),
) as {
  metrics: ReferenceMetric[];
  inputs: Input[];
  limits: ReferenceLimit[];
  costs: Record<string, number>;
  settings: ReferenceSetting[];
};
const document = JSON.parse(readRepositoryFile('contracts/openapi.json') ?? '{}');

const PAGES = [
  { path: 'docs/reference/settings.md', text: SETTINGS(settingTables()) },
  { path: 'docs/reference/errors.md', text: ERRORS(errorTables()) },
  { path: 'docs/limits.md', text: composeLimitsPage({ limits, costs, settings }) },
  { path: 'docs/reference/bounds.md', text: composeBoundsPage(document, inputs) },
  // The process shows most of itself on Linux.
  ...(process.platform === 'linux'
    ? [{ path: 'docs/operations/metrics.md', text: composeMetricsPage(metrics) }]
    : []),
];

const isCheck = process.argv.includes('--check');
for (const { path, text } of PAGES) {
  if (readRepositoryFile(path) === text) continue;
  if (isCheck) {
    console.log(`${path} is not what the code says: run "node scripts/run.mjs site --reference".`);
    process.exitCode = 1;
  } else writeFileSync(`${ROOT}${path}`, text);
}

// Writes the generated parts of the reference pages; people write the text around them. With --check it only compares.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { ErrorCode } from '@muster/contract';
import {
  ERROR_CATALOGUE,
  ERROR_CODES,
  HISTORY_ERROR_CODES,
  isAuthenticationFailure,
  JOIN_ERROR_CODES,
  SESSION_ERROR_CODES,
  SESSION_LIST_ERROR_CODES,
  statusOfJoinError,
} from '@muster/contract';
import { ROOT, readRepositoryFile } from '../openapi/write-documents.ts';
import { composeProcedures } from './admin-page.ts';
import type { Input } from './bounds-page.ts';
import { composeBounds } from './bounds-page.ts';
import type { LimitsReference } from './limits-page.ts';
import { composeLimits, toTable } from './limits-page.ts';
import type { ReferenceMetric } from './metrics-page.ts';
import { composeMetrics } from './metrics-page.ts';

const composeErrors = (): string => {
  const named = new Set<ErrorCode>([
    ...JOIN_ERROR_CODES,
    ...HISTORY_ERROR_CODES,
    ...SESSION_ERROR_CODES,
  ]);
  const others = ERROR_CODES.filter((code) => !named.has(code));
  const statusOf = (code: ErrorCode): number => ERROR_CATALOGUE[code].status;
  return [
    composeCodes('Joins', JOIN_ERROR_CODES, statusOfJoinError),
    composeCodes('Histories', HISTORY_ERROR_CODES, statusOf),
    composeCodes('Reading and leaving a session', SESSION_ERROR_CODES, statusOf),
    composeCodes('Listing the sessions of a player', SESSION_LIST_ERROR_CODES, statusOf),
    composeCodes('Admin API and HTTP', others, statusOf),
  ].join('\n\n');
};

const composeCodes = (
  title: string,
  codes: readonly ErrorCode[],
  statusOf: (code: ErrorCode) => number,
): string => {
  const rows = codes.map((code) => {
    const success = !isAuthenticationFailure(code);
    return `| \`${code}\` | ${statusOf(code)} | ${success} | ${ERROR_CATALOGUE[code].desc} |`;
  });
  return `## ${title}\n\n${toTable('| `error_code` | Status | `auth_success` | `desc` |', rows)}`;
};

const run = (...args: string[]): string =>
  execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 24 });

type Reference = LimitsReference & { metrics: ReferenceMetric[]; inputs: Input[] };
const reference: Reference = JSON.parse(run('apps/api/test/print-reference.ts'));
const document = JSON.parse(readRepositoryFile('contracts/openapi.json') ?? '{}');
const adminDocument = JSON.parse(readRepositoryFile('contracts/openapi-admin.json') ?? '{}');

/** The generated parts of each page, by their names there. */
const PAGES: Record<string, Record<string, string>> = {
  'docs/admin-api.md': { procedures: composeProcedures(adminDocument) },
  'docs/limits.md': composeLimits(reference),
  'docs/reference/bounds.md': { bounds: composeBounds(document, reference.inputs) },
  'docs/reference/errors.md': { errors: composeErrors() },
  'docs/reference/settings.md': {
    settings: run('apps/api/src/cli/muster.ts', 'settings', '--markdown').trim(),
  },
};
// Other systems have fewer metrics of the process.
if (process.platform === 'linux') {
  PAGES['docs/operations/metrics.md'] = { metrics: composeMetrics(reference.metrics) };
}

const replacePart = (path: string, page: string, name: string, text: string): string => {
  const [begin, end] = [`<!-- begin: generated ${name} -->`, '<!-- end -->'];
  const start = page.indexOf(begin);
  const stop = page.indexOf(end, start);
  if (start < 0 || stop < 0) throw new Error(`${path} lacks ${begin} or ${end}.`);
  return `${page.slice(0, start)}${begin}\n\n${text}\n\n${page.slice(stop)}`;
};

const isCheck = process.argv.includes('--check');
for (const [path, parts] of Object.entries(PAGES)) {
  const page = readRepositoryFile(path) ?? '';
  let current = page;
  for (const [name, text] of Object.entries(parts))
    current = replacePart(path, current, name, text);
  if (current === page) continue;
  if (isCheck) {
    console.log(`${path} is not current: run "node scripts/run.mjs site --reference".`);
    process.exitCode = 1;
  } else writeFileSync(`${ROOT}${path}`, current);
}

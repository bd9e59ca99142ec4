// The breaking changes of a new contract, and the consumers they affect: oasdiff finds the changes, the static check finds the consumers.

import { readFile } from 'node:fs/promises';
import { LineCounter, parseDocument } from 'yaml';
import type { Finding, PactFile, PactInteraction } from '../findings.ts';
import { Problem, sentenceOf } from '../findings.ts';
import { isError } from '../report/verification-report.ts';
import { checkPacts, findOperationOf } from '../static-check/check-pacts.ts';
import type { OpenApi } from '../static-check/openapi-document.ts';
import type { BreakingChange } from './find-breaking-changes.ts';
import { findBreakingChanges } from './find-breaking-changes.ts';

export type ContractChange = BreakingChange & { breaks: BrokenInteraction[] };

export type ContractDiff = {
  changes: ContractChange[];
  /** Every interaction that was green and is red. */
  broken: BrokenInteraction[];
  /** Those of them that no change of the list accounts for. */
  unexplained: BrokenInteraction[];
};

/**
 * Compares two OpenAPI 3.1 documents. `broken` lists the consumers that the new one breaks. A change that breaks the
 * interface itself, whether or not a consumer uses it, has the severity `error`. Errors: Problem.
 */
export const diffContracts = async (
  before: object,
  after: object,
  pacts: readonly PactFile[] = [],
): Promise<ContractDiff> => {
  const found = await findBreakingChanges(before, after).catch((error: unknown) => {
    throw new Problem(`The contracts cannot be compared: ${sentenceOf(error)}`);
  });
  const broken = findBroken(before, after, pacts);
  const changes = found.map((change) => ({
    ...change,
    breaks: broken.filter((one) => isBrokenBy(change, one)),
  }));
  const explained = new Set(changes.flatMap(({ breaks }) => breaks));
  return { changes, broken, unexplained: broken.filter((one) => !explained.has(one)) };
};

const isBrokenBy = (change: BreakingChange, broken: BrokenInteraction): boolean =>
  (change.operationId === undefined || change.operationId === broken.operationId) &&
  speaksOfStatus(change, broken.interaction) &&
  broken.findings.some((finding) => explains(change, finding));

/** A change of the answer to one status breaks only those who expect that status. */
const speaksOfStatus = ({ text }: BreakingChange, { content }: PactInteraction): boolean => {
  const statuses = [...text.matchAll(/`(\d{3})`/g)].map(([, status]) => Number(status));
  const { response } = content as { response?: { status?: unknown } };
  return statuses.length === 0 || statuses.includes(Number(response?.status ?? 200));
};

// OpenAPI documents from a file or a URL, in JSON or YAML.

const TIMEOUT_MS = 30_000;

/** Reads an OpenAPI 3 document. Errors: Problem, with the line where the text is broken. */
export const loadContract = async (source: string): Promise<object> => {
  const value = parse(await readText(source), source);
  if (typeof value !== 'object' || value === null || !('openapi' in value)) {
    throw new Problem(
      `${source}: this is not an OpenAPI document, since it has no field "openapi".`,
    );
  }
  if (!('paths' in value) || typeof value.paths !== 'object' || value.paths === null) {
    throw new Problem(`${source}: the OpenAPI document has no paths.`);
  }
  return value;
};

const readText = async (source: string): Promise<string> => {
  try {
    if (!/^https?:\/\//i.test(source)) return await readFile(source, 'utf8');
    const response = await fetch(source, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.ok) return await response.text();
    throw new Error(`the server answered ${response.status}`);
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    const reason = isAbsent ? 'there is no such file' : sentenceOf(error);
    throw new Problem(`${source}: the document cannot be read: ${reason}.`);
  }
};

/** Every JSON document is a YAML document too (YAML 1.2, section 1.3). */
const parse = (text: string, source: string): unknown => {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const [error] = document.errors;
  if (!error) return document.toJS();
  const { line } = lineCounter.linePos(error.pos[0]);
  throw new Problem(`${source}:${line}: this is neither valid JSON nor YAML: ${sentenceOf(error)}`);
};

// The interactions that a new contract breaks: green under the old one, red under the new one.

type BrokenInteraction = {
  pact: PactFile;
  interaction: PactInteraction;
  operationId?: string;
  /** What the new contract has against it. */
  findings: Finding[];
};

const findBroken = (
  before: object,
  after: object,
  pacts: readonly PactFile[],
): BrokenInteraction[] =>
  pacts.flatMap((pact) =>
    pact.interactions.flatMap((interaction) => {
      const alone = [{ ...pact, interactions: [interaction] }];
      if (errorsOf(alone, before).length > 0) return [];
      const findings = errorsOf(alone, after);
      if (findings.length === 0) return [];
      // The caller has parsed the contracts as OpenAPI documents.
      const operationId = findOperationOf(interaction, before as OpenApi)?.operationId;
      return [{ pact, interaction, findings, ...(operationId !== undefined && { operationId }) }];
    }),
  );

const errorsOf = (pacts: readonly PactFile[], contract: object): Finding[] =>
  checkPacts(pacts, contract).filter(isError);

// Whether a change of the contract is what a finding speaks of: same operation, and the same field, parameter or status.

const explains = (change: BreakingChange, finding: Finding): boolean => {
  if (change.id.startsWith('api-')) return ['unknown-path', 'wrong-method'].includes(finding.rule);
  // oasdiff sets what it speaks of in back-ticks: names, statuses, values.
  const named = [...change.text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  if (finding.rule === 'undeclared-status') return named.some((name) => speaksOf(finding, name));
  const field = fieldOf(finding);
  if (field !== null) return named.some((name) => isSameField(name, field));
  return named.some((name) => name.length > 2 && speaksOf(finding, name));
};

const speaksOf = ({ message, suggestion = '' }: Finding, name: string): boolean =>
  `${message} ${suggestion}`.split(/[^\w./-]+/).includes(name);

/** `$.teams[0].players[0].status` is `teams/players/status`. */
const fieldOf = ({ message }: Finding): string | null => {
  const [path] = /\$[\w.[\]*"-]*/.exec(message) ?? [];
  return path === undefined
    ? null
    : path
        .replace(/\[[^\]]*\]/g, '')
        .replace(/^\$\.?/, '')
        .replaceAll('.', '/');
};

/** A change of an object is one of everything inside it. */
const isSameField = (name: string, field: string): boolean => {
  const changed = name.replace(/(^|\/)items(?=\/|$)/g, '').replace(/^\//, '');
  return changed !== '' && (field === changed || field.startsWith(`${changed}/`));
};

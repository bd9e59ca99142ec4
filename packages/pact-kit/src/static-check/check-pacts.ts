// The static check: every interaction of every pact against the contract, without running anything.

import { readFileSync, writeFileSync } from 'node:fs';
import { contract } from '@muster/contract';
import { buildCompanionOpenApi, buildOpenApi } from '@muster/contract/openapi';
import { z } from 'zod';
import type { Finding, PactFile, PactInteraction } from '../findings.ts';
import type { JsonPath } from '../pact-files/json-document.ts';
import type { OperationName } from '../provider-states/state-definition.ts';
import { isRecord } from '../values.ts';
import { checkRequest, isRefusalExpected } from './check-request.ts';
import { checkResponse, checkRetryAfter } from './check-response.ts';
import { checkStates } from './check-states.ts';
import { findOperation } from './find-operation.ts';
import { findGenerator } from './generated-values.ts';
import type { StateInUse } from './guarantees.ts';
import { collectGuarantees } from './guarantees.ts';
import type { HttpRequest } from './http-interaction.ts';
import { readHttp } from './http-interaction.ts';
import type { OpenApi, Operation } from './openapi-document.ts';
import type { Report } from './report.ts';
import { createReport, editDistance } from './report.ts';

let ownContract: OpenApi | undefined;

/**
 * Checks pacts statically: findings in the order of files and interactions. `contract` is an OpenAPI 3.1 document; when
 * absent, the contracts that the kit carries.
 */
export const checkPacts = (pacts: readonly PactFile[], contract?: object): Finding[] => {
  // The caller has parsed the document as OpenAPI; missing parts are treated as undeclared.
  if (!contract) ownContract ??= buildOwnContract();
  const document = (contract ?? ownContract) as OpenApi;
  return [
    ...checkPresence(pacts),
    ...pacts.flatMap((pact) =>
      pact.interactions.flatMap((interaction) => checkInteraction(pact, interaction, document)),
    ),
  ];
};

/** The public and the companion endpoints. A schema of both is the same, but for the list of error codes, which is open. */
const buildOwnContract = (): OpenApi => {
  const options = { version: '3.1.0' } as const;
  const main = buildOpenApi(options) as unknown as OpenApi;
  const companion = buildCompanionOpenApi(options) as unknown as OpenApi;
  return {
    ...main,
    paths: { ...main.paths, ...companion.paths },
    components: { schemas: { ...companion.components?.schemas, ...main.components?.schemas } },
  };
};

/** Errors where there is nothing to verify. */
export const checkPresence = (pacts: readonly PactFile[]): Finding[] => {
  const empty = pacts.filter(({ interactions }) => interactions.length === 0);
  const found = empty.map(({ source }) => nothingFound('The pact has no interaction.', source));
  return pacts.length === 0
    ? [nothingFound('No pact was found, so nothing was verified.', '')]
    : found;
};

const nothingFound = (message: string, file: string): Finding => ({
  rule: 'no-interaction-found',
  severity: 'error',
  message,
  suggestion: "Run the consumer's tests first, and check that they write their pact here.",
  place: { file },
});

const checkInteraction = (
  pact: PactFile,
  interaction: PactInteraction,
  document: OpenApi,
): Finding[] => {
  const findings: Finding[] = [];
  const report = createReport(findings, pact, interaction);
  checkKeys(interaction, report);
  const http = readHttp(interaction);
  const states = checkStates(interaction, http.request.path, report);
  const found = findOperation(http, document, report);
  if (!found) return findings;
  checkRequest(http, found, document, report);
  if (document === ownContract && findings.length === 0 && !isRefusalExpected(http)) {
    checkRefinements(found.operation.operationId ?? '', http.request, report);
  }
  const guarantees = collectGuarantees(states, {
    operation: found.operation.operationId as OperationName,
    body: http.request.body,
    query: Object.fromEntries(http.request.query.map(({ name, values }) => [name, values])),
  });
  // What a misspelt state would have guaranteed cannot be known; that state is reported already.
  const allKnown = states.length === interaction.states.length;
  checkResponse(http, found, document, allKnown ? guarantees : () => true, report);
  if (allKnown) checkRetryAfter(http.response, retryAfterOf(states), report);
  return findings;
};

/** What the state "a temporary refusal" sends, where it is in use. */
const retryAfterOf = (states: readonly StateInUse[]): number | undefined => {
  for (const { state } of states) {
    if (state.name === 'a temporary refusal') return state.parameters.retry_after;
  }
  return undefined;
};

/** The operation of the contract that an interaction asks for, or null. */
export const findOperationOf = (
  interaction: PactInteraction,
  document: OpenApi,
): Operation | null =>
  findOperation(readHttp(interaction), document, () => undefined)?.operation ?? null;

// How many interactions the last run saw, so that lost ones are noticed: parallel consumer tests lose them silently.

/** Interactions by `consumer → provider`. */
const InteractionCounts = z.record(z.string(), z.int().min(0));
type InteractionCounts = z.infer<typeof InteractionCounts>;
const LastRun = z.object({ interactions: InteractionCounts });

const countInteractions = (pacts: readonly PactFile[]): InteractionCounts => {
  const counts: InteractionCounts = {};
  for (const { consumer, provider, interactions } of pacts) {
    const pair = `${consumer} → ${provider}`;
    counts[pair] = (counts[pair] ?? 0) + interactions.length;
  }
  return counts;
};

/** Call it after a run that passed, so that the next one is held against it. */
export const writeLastRun = (file: string, pacts: readonly PactFile[]): void =>
  writeFileSync(file, `${JSON.stringify({ interactions: countInteractions(pacts) }, null, 2)}\n`);

/** No file yet is a first run and no finding; one that cannot be read is. */
export const checkCounts = (pacts: readonly PactFile[], file: string): Finding[] => {
  const text = readIfPresent(file);
  if (text === null) return [];
  const before = parseCounts(text);
  if (!before) {
    const message = 'The file of the last run cannot be read; remove it to begin anew.';
    return [{ rule: 'broken-last-run', severity: 'error', message, place: { file } }];
  }
  const now = countInteractions(pacts);
  return Object.entries(before)
    .filter(([pair, count]) => (now[pair] ?? 0) < count)
    .map(([pair, count]) => ({
      rule: 'fewer-interactions',
      severity: 'error' as const,
      message: `${pair} has ${now[pair] ?? 0} interactions, and the last run had ${count}.`,
      suggestion: `If they were removed on purpose, remove ${file}; else run the consumer's tests one file at a time.`,
      place: {
        file: pacts.find((pact) => `${pact.consumer} → ${pact.provider}` === pair)?.source ?? file,
      },
    }));
};

const readIfPresent = (file: string): string | null => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    return '';
  }
};

const parseCounts = (text: string): InteractionCounts | null => {
  try {
    return LastRun.parse(JSON.parse(text)).interactions;
  } catch {
    return null;
  }
};

// Misspelt keys of the pact file itself. The verifier ignores what it does not know, and with it what was expected.

const PART = ['headers', 'body', 'matchingRules', 'generators'];
const KNOWN = {
  interaction: [
    'description',
    'providerState',
    'providerStates',
    'provider_state',
    'request',
    'response',
    'type',
    'key',
    'pending',
    'comments',
    'transport',
    'interactionMarkup',
    'pluginConfiguration',
  ],
  state: ['name', 'params'],
  request: ['method', 'path', 'query', ...PART],
  response: ['status', ...PART],
};

/** Keys that resemble no known one are a library's own notes, and are left alone. */
const checkKeys = ({ content }: PactInteraction, report: Report): void => {
  checkObject(content, 'interaction', [], report);
  checkObject(content.request, 'request', ['request'], report);
  checkObject(content.response, 'response', ['response'], report);
  const states: unknown[] = Array.isArray(content.providerStates) ? content.providerStates : [];
  for (const [index, state] of states.entries()) {
    checkObject(state, 'state', ['providerStates', index], report);
  }
};

const checkObject = (
  value: unknown,
  kind: keyof typeof KNOWN,
  at: JsonPath,
  report: Report,
): void => {
  if (!isRecord(value)) return;
  const known = KNOWN[kind];
  for (const key of Object.keys(value).filter((name) => !known.includes(name))) {
    const meant = known.find((name) => resembles(key, name, value));
    if (meant === undefined && kind !== 'state') continue;
    report({
      rule: 'misspelt-key',
      message: `The ${kind} has the key "${key}", which Pact does not read.`,
      suggestion: meant ? `Did you mean ${meant}?` : `Known: ${known.join(', ')}.`,
      at: [...at, key],
    });
  }
};

const LONG = 6;
const SHORTEST_STEM = 4;

/** Other letters, another case, another number of the noun; or the word with an ending, where the word itself is not there. */
const resembles = (key: string, name: string, value: Record<string, unknown>): boolean => {
  const given = fold(key);
  const meant = fold(name);
  if (editDistance(given, meant) <= (meant.length >= LONG ? 2 : 1)) return true;
  return !(name in value) && meant.length >= SHORTEST_STEM && given.startsWith(meant);
};

const fold = (word: string): string => word.toLowerCase().replaceAll('_', '');

// Rules that a schema document cannot say, such as "one of two fields": the contract's own schema is asked too.

type RouteName = keyof typeof contract;
const isRoute = (name: string): name is RouteName => Object.hasOwn(contract, name);

/** Call it for a body that the document accepts: what it still reports is a rule beyond the document. */
const checkRefinements = (
  operationId: string,
  { body, bodyPath, generators }: HttpRequest,
  report: Report,
): void => {
  const route = isRoute(operationId) ? contract[operationId] : null;
  if (!route || !('body' in route)) return;
  for (const issue of route.body.safeParse(body).error?.issues ?? []) {
    const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
    // The generated values have been checked in place of the example.
    if (findGenerator(generators.body, path)) continue;
    report({
      rule: 'refused-request',
      message: `The service refuses the request body at ${path.join('.')}: ${issue.message}.`,
      at: [...bodyPath, ...path],
    });
  }
};

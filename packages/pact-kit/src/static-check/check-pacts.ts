// The static check: every interaction of every pact against the contract, without running anything.
import { buildOpenApi } from '@muster/contract/openapi';
import type { Finding } from '../finding.ts';
import type { PactFile, PactInteraction } from '../pact-file.ts';
import type { OperationName } from '../provider-states/index.ts';
import { checkKeys } from './check-keys.ts';
import { checkRefinements } from './check-refinements.ts';
import { checkRequest, isRefusalExpected } from './check-request.ts';
import { checkResponse } from './check-response.ts';
import { checkStates } from './check-states.ts';
import { findOperation } from './find-operation.ts';
import { collectGuarantees } from './guarantees.ts';
import type { HttpRequest } from './http-interaction.ts';
import { readHttp } from './http-interaction.ts';
import { checkCounts } from './last-run.ts';
import type { OpenApi, Operation } from './openapi-document.ts';
import { createReport } from './report.ts';

export type CheckOptions = {
  /** An OpenAPI 3.1 document; when absent, the contract that the kit carries. */
  contract?: object;
  /** Where `writeLastRun` wrote; fewer interactions than then are an error. */
  lastRunFile?: string;
};

let ownContract: OpenApi | undefined;

const carriedContract = (): OpenApi => {
  ownContract ??= buildOpenApi({ version: '3.1.0' }) as unknown as OpenApi;
  return ownContract;
};

/** Checks pacts statically. Findings stand in the order of files and interactions. */
export const checkPacts = (
  pacts: readonly PactFile[],
  { contract, lastRunFile }: CheckOptions = {},
): Finding[] => {
  // Whoever passes a document has read it as OpenAPI; what is not there is simply not declared.
  const document = contract ? (contract as OpenApi) : carriedContract();
  return [
    ...checkPresence(pacts),
    ...pacts.flatMap((pact) =>
      pact.interactions.flatMap((interaction) => checkInteraction(pact, interaction, document)),
    ),
    ...(lastRunFile === undefined ? [] : checkCounts(pacts, lastRunFile)),
  ];
};

const checkPresence = (pacts: readonly PactFile[]): Finding[] => {
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
    query: queryByName(http.request),
  });
  // What a misspelt state would have guaranteed cannot be known; that state is reported already.
  const allKnown = states.length === interaction.states.length;
  checkResponse(http, found, document, allKnown ? guarantees : () => true, report);
  return findings;
};

/** The operation of the contract that an interaction asks for, or null. */
export const findOperationOf = (
  interaction: PactInteraction,
  document: OpenApi,
): Operation | null =>
  findOperation(readHttp(interaction), document, () => undefined)?.operation ?? null;

const queryByName = ({ query }: HttpRequest): Record<string, string[]> =>
  Object.fromEntries(query.map(({ name, values }) => [name, values]));

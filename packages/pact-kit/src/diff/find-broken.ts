// The interactions that a new contract breaks: green under the old one, red under the new one.
import type { Finding } from '../finding.ts';
import type { PactFile, PactInteraction } from '../pact-file.ts';
import type { OpenApi } from '../static-check/index.ts';
import { checkPacts, findOperationOf } from '../static-check/index.ts';

export type BrokenInteraction = {
  pact: PactFile;
  interaction: PactInteraction;
  operationId?: string;
  /** What the new contract has against it. */
  findings: Finding[];
};

export const findBroken = (
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
      // Whoever compares contracts has read them as OpenAPI documents.
      const operationId = findOperationOf(interaction, before as OpenApi)?.operationId;
      return [{ pact, interaction, findings, ...(operationId !== undefined && { operationId }) }];
    }),
  );

const errorsOf = (pacts: readonly PactFile[], contract: object): Finding[] =>
  checkPacts(pacts, { contract }).filter(({ severity }) => severity === 'error');

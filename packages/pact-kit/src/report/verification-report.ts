// The one report of a verification. Its JSON form is stable: fields are added, never renamed or removed.

import type { Finding, Place } from '../findings.ts';

export type InteractionStatus = 'passed' | 'failed' | 'pending';

export type InteractionReport = {
  description: string;
  /** Names of the provider states. */
  states: string[];
  /** Pending: failed, in a pact or an interaction that may fail. */
  status: InteractionStatus;
  place: Place;
  durationMs: number;
  findings: Finding[];
};

export type PactReport = {
  /** The path or URL that it was read from. */
  source: string;
  consumer: string;
  provider: string;
  pending: boolean;
  interactions: InteractionReport[];
  /** About the pact as a whole. */
  findings: Finding[];
};

export type ReportSummary = {
  pacts: number;
  interactions: number;
  passed: number;
  failed: number;
  pending: number;
  errors: number;
  warnings: number;
};

export type VerificationReport = {
  formatVersion: 1;
  /** What was verified against, such as `muster 0.1.0`. */
  provider: string;
  verdict: 'passed' | 'failed';
  durationMs: number;
  /** Until the service was ready; 0 where none was started. */
  startUpMs: number;
  summary: ReportSummary;
  pacts: PactReport[];
  /** About nothing that could be read as a pact. */
  findings: Finding[];
};

export const allFindings = ({ pacts, findings }: VerificationReport): Finding[] => [
  ...findings,
  ...pacts.flatMap((pact) => [
    ...pact.findings,
    ...pact.interactions.flatMap((interaction) => interaction.findings),
  ]),
];

export const isError = ({ severity }: Finding): boolean => severity === 'error';

/** Counts; pending failures are counted as such and do not fail the verification. */
export const summarise = (
  pacts: readonly PactReport[],
  findings: readonly Finding[],
): { summary: ReportSummary; verdict: 'passed' | 'failed' } => {
  const interactions = pacts.flatMap((pact) => pact.interactions);
  const count = (status: InteractionStatus) =>
    interactions.filter((one) => one.status === status).length;
  const counted = [
    ...findings,
    ...pacts.filter(({ pending }) => !pending).flatMap((pact) => pact.findings),
    ...interactions.filter(({ status }) => status !== 'pending').flatMap((one) => one.findings),
  ];
  const errors = counted.filter(isError).length;
  const summary: ReportSummary = {
    pacts: pacts.length,
    interactions: interactions.length,
    passed: count('passed'),
    failed: count('failed'),
    pending: count('pending'),
    errors,
    warnings: counted.length - errors,
  };
  // Nothing verified is not a success.
  const verdict = errors === 0 && interactions.length > 0 ? 'passed' : 'failed';
  return { summary, verdict };
};

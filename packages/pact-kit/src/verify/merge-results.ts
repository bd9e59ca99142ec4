// Joins what the static check says about an interaction with what its replay gave.
import type { Finding, PactFile, PactInteraction, Place } from '../findings.ts';
import type { InteractionReport, PactReport } from '../report/verification-report.ts';
import { isError } from '../report/verification-report.ts';
import { checkPacts } from '../static-check/check-pacts.ts';
import { groupBy, sayOthers } from './describe-mismatches.ts';
import type { JobResult } from './interaction-proxy.ts';

export type PactSource = {
  pact: PactFile;
  /** Its failures are reported and fail nothing. */
  pending: boolean;
};

type MergedResults = { pacts: PactReport[]; findings: Finding[] };

/** `loose` are the findings about whole pacts and about what could not be read as a pact. */
export const mergeResults = (
  sources: readonly PactSource[],
  loose: readonly Finding[],
  results: readonly JobResult[],
): MergedResults => {
  const files = new Set(sources.map(({ pact }) => pact.source));
  return {
    pacts: sources.map((source): PactReport => {
      const { pact, pending } = source;
      return {
        source: pact.source,
        consumer: pact.consumer,
        provider: pact.provider,
        pending,
        interactions: pact.interactions.map((interaction) =>
          toReport(
            source,
            interaction,
            results.find(({ job }) => job.interaction === interaction),
          ),
        ),
        findings: loose.filter(({ place }) => place.file === pact.source),
      };
    }),
    findings: loose.filter(({ place }) => !files.has(place.file)),
  };
};

const toReport = (
  { pact, pending }: PactSource,
  interaction: PactInteraction,
  result: JobResult | undefined,
): InteractionReport => {
  const { description, place, states, content } = interaction;
  const said = checkPacts([{ ...pact, interactions: [interaction] }]);
  const replayed = result?.findings ?? [notVerified(description, place)];
  const replay = withoutRepetition(said, replayed);
  const { explained, unexplained } = joinCauses(said, replay, place, result?.job.seen.status);
  const isStatus = ({ rule }: Finding) => rule === 'wrong-status';
  const findings = [
    ...unexplained.filter(isStatus),
    ...reportOnce(explained),
    ...unexplained.filter((finding) => !isStatus(finding)),
  ];
  const mayFail = pending || (content.pending === true && pact.specification.startsWith('4'));
  const failed = mayFail ? 'pending' : 'failed';
  return {
    description,
    states: states.map(({ name }) => name),
    status: findings.some(isError) ? failed : 'passed',
    place,
    durationMs: result?.durationMs ?? 0,
    findings,
  };
};

const notVerified = (interaction: string, place: Place): Finding => ({
  rule: 'not-verified',
  severity: 'error',
  message: 'This interaction was not replayed.',
  place,
  interaction,
});

/** The static check names a wrong state better than the attempt to apply it. */
const withoutRepetition = (said: readonly Finding[], replayed: readonly Finding[]): Finding[] => {
  const knowsStates = said.some(({ rule, severity }) => severity === 'error' && /state/.test(rule));
  return replayed.filter(({ rule }) => !(knowsStates && rule === 'state-failed'));
};

/** Errors about the request, by the status that the service refuses it with. */
const REQUEST_ERRORS: Readonly<Record<number, RegExp>> = {
  404: /^unknown-path$/,
  405: /^wrong-method$/,
  422: /^(invalid-(path|query|request)|missing-(query|request)|repeated-query|bracketed-array|refused-request)/,
};

/** When the static check and the replay found the same cause, the static finding includes the response of the service. */
const joinCauses = (
  said: readonly Finding[],
  replay: readonly Finding[],
  whole: Place,
  status: number | undefined,
) => {
  const unexplained = new Set(replay);
  const refused = REQUEST_ERRORS[status ?? 0];
  const explained = said.map((finding): Finding => {
    const same = [...unexplained].filter(
      ({ rule, place }) =>
        isError(finding) &&
        ((isSamePlace(place, finding.place) && !isSamePlace(place, whole)) ||
          (rule === 'wrong-status' && refused?.test(finding.rule))),
    );
    for (const one of same) unexplained.delete(one);
    const hints = same.flatMap(({ message, suggestion }) => [message, suggestion]);
    const suggestion = [finding.suggestion, ...hints].filter(Boolean).join(' ');
    return same.length === 0 ? finding : { ...finding, suggestion };
  });
  return { explained, unexplained: [...unexplained] };
};

const isSamePlace = (a: Place, b: Place): boolean => a.line === b.line && a.column === b.column;

/** Findings that differ in nothing but an index, such as those of a list of examples, have one cause. */
const reportOnce = (findings: readonly Finding[]): Finding[] =>
  groupBy(findings, ({ rule, message }) => `${rule} ${message.replaceAll(/\[\d+\]/g, '[*]')}`).map(
    ([first, ...others]) => ({
      ...first,
      message: `${first.message}${sayOthers(others.length, 'place')}`,
    }),
  );

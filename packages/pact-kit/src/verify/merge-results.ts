// Joins what the static check says about an interaction with what its replay gave.
import type { Finding, PactFile, Place } from '../findings.ts';
import type { InteractionReport, PactReport } from '../report/verification-report.ts';
import { isError } from '../report/verification-report.ts';
import { sayOthers } from './describe-mismatches.ts';
import type { JobResult } from './interaction-proxy.ts';

export type PactSource = {
  pact: PactFile;
  /** Its failures are reported and fail nothing. */
  pending: boolean;
};

type MergedResults = { pacts: PactReport[]; findings: Finding[] };

export const mergeResults = (
  sources: readonly PactSource[],
  staticFindings: readonly Finding[],
  results: readonly JobResult[],
): MergedResults => {
  const unplaced = new Set(staticFindings);
  const pacts = sources.map((source): PactReport => {
    const { pact } = source;
    const own = staticFindings.filter(({ place }) => place.file === pact.source);
    for (const finding of own) unplaced.delete(finding);
    const owners = own.map((finding) => findOwner(pact, finding));
    return {
      source: pact.source,
      consumer: pact.consumer,
      provider: pact.provider,
      pending: source.pending,
      interactions: pact.interactions.map((interaction) => {
        const result = results.find(
          ({ job }) => job.pact === pact && job.interaction === interaction,
        );
        const said = own.filter((_, index) => owners[index] === interaction.index);
        return toReport(source, interaction, said, result);
      }),
      findings: own.filter((_, index) => owners[index] === null),
    };
  });
  return { pacts, findings: [...unplaced] };
};

const toReport = (
  { pact, pending }: PactSource,
  interaction: PactFile['interactions'][number],
  said: readonly Finding[],
  result: JobResult | undefined,
): InteractionReport => {
  const { description, place, states, content } = interaction;
  const replayed = result?.findings ?? [notVerified(description, place)];
  const replay = withoutRepetition(said, replayed);
  const { explained, unexplained } = joinCauses(said, replay, place, result?.status);
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

const isSamePlace = (a: Place, b: Place): boolean => !isBefore(a, b) && !isBefore(b, a);

/** Findings that differ in nothing but an index, such as those of a list of examples, have one cause. */
const reportOnce = (findings: readonly Finding[]): Finding[] => {
  const causes = new Map<string, [first: Finding, ...others: Finding[]]>();
  for (const finding of findings) {
    const key = `${finding.rule} ${finding.message.replaceAll(/\[\d+\]/g, '[*]')}`;
    const found = causes.get(key);
    if (found) found.push(finding);
    else causes.set(key, [finding]);
  }
  return [...causes.values()].map(([first, ...others]) => ({
    ...first,
    message: `${first.message}${sayOthers(others.length, 'place')}`,
  }));
};

/** The index of the finding's interaction; null for a finding about the whole pact. */
const findOwner = (pact: PactFile, { interaction, place }: Finding): number | null => {
  if (interaction === undefined) return null;
  const candidates = pact.interactions.filter(({ description }) => description === interaction);
  const owner =
    candidates.findLast((candidate) => !isBefore(place, candidate.place)) ?? candidates[0];
  return owner?.index ?? null;
};

const isBefore = (a: Place, b: Place): boolean => {
  const [lineA = 0, lineB = 0] = [a.line, b.line];
  return lineA < lineB || (lineA === lineB && (a.column ?? 0) < (b.column ?? 0));
};

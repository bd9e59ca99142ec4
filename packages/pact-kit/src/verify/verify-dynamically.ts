// Replays every interaction against the service, through the native Pact verifier.
import { createServiceClient } from '../apply-states/index.ts';
import type { Finding } from '../finding.ts';
import type { PactFile } from '../pact-file.ts';
import type { Provider } from '../provider/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { describeMismatch } from './describe-mismatch.ts';
import type { InteractionJob, JobResult } from './interaction-job.ts';
import type { InteractionProxy, Observation } from './interaction-proxy.ts';
import { STATE_PATH, startInteractionProxy } from './interaction-proxy.ts';
import { preparePacts } from './prepare-pacts.ts';
import type { VerifierReport } from './run-native-verifier.ts';
import { runNativeVerifier } from './run-native-verifier.ts';

export type DynamicOptions = {
  pacts: readonly PactFile[];
  provider: Provider;
  /** Hears of each interaction as it begins. */
  onInteraction?: (job: InteractionJob, total: number) => void;
  signal?: AbortSignal;
};

/** One result per interaction, in the order of the files. Throws Problem when the verification cannot be done. */
export const verifyDynamically = async (options: DynamicOptions): Promise<JobResult[]> => {
  const jobs = options.pacts
    .flatMap((pact) => pact.interactions.map((interaction) => ({ pact, interaction })))
    .map((job, index) => ({ ...job, id: index + 1 }));
  if (jobs.length === 0) return [];
  const temporary = temporaryFolder('muster-pact-run-');
  const folder = temporary.path;
  const { provider, onInteraction = () => {}, signal } = options;
  const proxy = await startInteractionProxy({
    jobs,
    provider,
    service: createServiceClient(provider),
    onStart: (job) => onInteraction(job, jobs.length),
  });
  try {
    const files = await preparePacts(jobs, folder);
    const { port } = proxy;
    const run = { files, port, statePath: STATE_PATH, folder, signal };
    const report = await runNativeVerifier(run);
    const failure = proxy.failure();
    if (failure) throw failure;
    return collectResults(jobs, report, proxy);
  } finally {
    await proxy.close();
    temporary.remove();
  }
};

/** The verifier calls an interaction passed only by naming it: one that it does not mention has not been verified. */
const collectResults = (
  jobs: readonly InteractionJob[],
  report: VerifierReport,
  proxy: InteractionProxy,
): JobResult[] => {
  const results = new Map(report.interactionResults.map((one) => [one.description, one]));
  const errors = new Map(
    [...report.errors, ...report.pendingErrors].map((error) => [
      / - (\d+)$/.exec(error.interaction)?.[1] ?? '',
      error.mismatch,
    ]),
  );
  return jobs.map((job) => {
    const result = results.get(String(job.id));
    const found: Outcome = { passed: result?.result === 'OK', error: errors.get(String(job.id)) };
    return {
      job,
      findings: findingsOf(job, found, proxy.observations.get(job.id) ?? { requests: 0 }),
      durationMs: Number.parseFloat(result?.duration ?? '0') * unitOf(result?.duration ?? ''),
    };
  });
};

type Outcome = { passed: boolean; error: VerifierReport['errors'][number]['mismatch'] | undefined };

const unitOf = (duration: string): number => (/\ds$/.test(duration) ? 1000 : 1);

const findingsOf = (job: InteractionJob, { passed, error }: Outcome, seen: Observation) => {
  if (seen.problem) {
    const place = job.interaction.states[0]?.place ?? job.interaction.place;
    return [finding(job, seen.problem.rule, seen.problem.message, place)];
  }
  if (passed && !error) {
    const message = 'No request of this interaction reached the service.';
    return seen.requests > 0 ? [] : [finding(job, 'not-verified', message)];
  }
  const mismatches = (error?.mismatches ?? []).map((one) => describeMismatch(job, one));
  if (mismatches.length > 0) return withHint(mismatches, seen);
  const reason = error?.message ?? 'The verifier gave no result for this interaction';
  return [finding(job, 'not-verified', `${reason.replace(/\.$/, '')}.`)];
};

const finding = (
  { interaction }: InteractionJob,
  rule: string,
  message: string,
  place = interaction.place,
): Finding => ({ rule, severity: 'error', message, place, interaction: interaction.description });

/** What the service said is often the quickest way to the mistake. */
const withHint = (findings: Finding[], { errorCode }: Observation): Finding[] => {
  const [first, ...rest] = findings;
  if (!first || !errorCode) return findings;
  return [
    { ...first, suggestion: `The service answered with the error code ${errorCode}.` },
    ...rest,
  ];
};

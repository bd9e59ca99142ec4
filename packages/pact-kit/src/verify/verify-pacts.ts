// The whole verification: the static check, the replay against the service, one report.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding, PactFile } from '../findings.ts';
import { PROVIDER_NAME } from '../pact-files/own-pacts.ts';
import type { Provider, RunningProvider } from '../provider/provider.ts';
import { startEmbeddedProvider, useRunningProvider } from '../provider/provider.ts';
import { withoutCredentialGenerators } from '../provider-states/state-values.ts';
import type { VerificationReport } from '../report/verification-report.ts';
import { summarise } from '../report/verification-report.ts';
import { checkCounts, checkPresence } from '../static-check/check-pacts.ts';
import { KIT_VERSION } from '../version.ts';
import { addHints } from './add-hints.ts';
import { describeMismatches } from './describe-mismatches.ts';
import { findUncompared } from './find-uncompared.ts';
import type { InteractionJob, JobResult } from './interaction-proxy.ts';
import { INTERACTION_HEADER, STATE_PATH, startInteractionProxy } from './interaction-proxy.ts';
import type { PactSource } from './merge-results.ts';
import { mergeResults } from './merge-results.ts';
import type { VerifierReport } from './native-verifier.ts';
import { runNativeVerifier } from './native-verifier.ts';

type VerifyPactsOptions = {
  sources: readonly PactSource[];
  /** Findings that loading the pacts gave already. */
  findings: readonly Finding[];
  /** A service that runs already; when absent, the kit starts one. */
  provider: RunningProvider | undefined;
  onProgress: (sentence: string) => void;
  onInteraction: (job: InteractionJob, total: number) => void;
  /** The number of interactions must not be below the one that this file keeps. */
  lastRunFile?: string | undefined;
  signal?: AbortSignal | undefined;
};

/** Throws Problem when the service does not start or the verifier cannot run; the service is always stopped. */
export const verifyPacts = async (options: VerifyPactsOptions): Promise<VerificationReport> => {
  const startedAt = performance.now();
  const { sources, findings, lastRunFile } = options;
  const pacts = sources.map(({ pact }) => pact);
  const loose = [
    ...findings,
    ...checkPresence(pacts),
    ...(lastRunFile === undefined ? [] : checkCounts(pacts, lastRunFile)),
  ];
  const replay = await replayAll(options);
  const merged = mergeResults(sources, loose, replay.results);
  return {
    formatVersion: 1,
    provider: options.provider?.url ?? `${PROVIDER_NAME} ${KIT_VERSION}`,
    ...summarise(merged.pacts, merged.findings),
    durationMs: Math.round(performance.now() - startedAt),
    startUpMs: replay.startUpMs,
    ...merged,
  };
};

const replayAll = async (options: VerifyPactsOptions) => {
  const { sources, provider: running, onProgress, onInteraction, signal } = options;
  if (sources.every(({ pact }) => pact.interactions.length === 0)) {
    return { results: [], startUpMs: 0 };
  }
  const startedAt = performance.now();
  const provider = running
    ? await useRunningProvider(running)
    : await startEmbeddedProvider({ onProgress, signal });
  const startUpMs = Math.round(performance.now() - startedAt);
  try {
    const pacts = sources.map(({ pact }) => pact);
    const results = await verifyDynamically({ pacts, provider, onInteraction, signal });
    return { results, startUpMs };
  } finally {
    await provider.stop();
  }
};

// Replays every interaction against the service, through the native Pact verifier.

type DynamicOptions = {
  pacts: readonly PactFile[];
  provider: Provider;
  /** Called when an interaction begins. */
  onInteraction: (job: InteractionJob, total: number) => void;
  signal?: AbortSignal | undefined;
};

/** One result per interaction, in the order of the files. Throws Problem when the verification cannot be done. */
export const verifyDynamically = async (options: DynamicOptions): Promise<JobResult[]> => {
  const { pacts, provider, onInteraction, signal } = options;
  const jobs = pacts
    .flatMap((pact) => pact.interactions.map((interaction) => ({ pact, interaction })))
    .map((job, index): InteractionJob => ({ ...job, id: index + 1, seen: {} }));
  const proxy = await startInteractionProxy({
    jobs,
    provider,
    onStart: (job) => onInteraction(job, jobs.length),
  });
  try {
    const { folder } = provider;
    const files = await preparePacts(jobs, folder);
    const run = { files, port: proxy.port, statePath: STATE_PATH, folder, signal };
    const report = await runNativeVerifier(run);
    const failure = proxy.failure();
    if (failure) throw failure;
    return collectResults(jobs, report);
  } finally {
    await proxy.close();
  }
};

/** The verifier calls an interaction passed only by naming it: one that it does not mention has not been verified. */
const collectResults = (jobs: readonly InteractionJob[], report: VerifierReport): JobResult[] => {
  const results = new Map(report.interactionResults.map((one) => [one.description, one]));
  const errors = new Map(
    [...report.errors, ...report.pendingErrors].map((error) => [
      / - (\d+)$/.exec(error.interaction)?.[1] ?? '',
      error.mismatch,
    ]),
  );
  return jobs.map((job) => {
    const result = results.get(String(job.id));
    const duration = result?.duration ?? '0';
    return {
      job,
      findings: findingsOf(job, result?.result === 'OK', errors.get(String(job.id))),
      durationMs: Number.parseFloat(duration) * (/\ds$/.test(duration) ? 1000 : 1),
    };
  });
};

type VerifierError = VerifierReport['errors'][number]['mismatch'];

const findingsOf = (
  job: InteractionJob,
  passed: boolean,
  error: VerifierError | undefined,
): Finding[] => {
  const { problem, status } = job.seen;
  if (problem) {
    const place = job.interaction.states[0]?.place ?? job.interaction.place;
    return [finding(job, problem.rule, problem.message, place)];
  }
  if (passed && !error) {
    const message = 'No request of this interaction reached the service.';
    if (status === undefined) return [finding(job, 'not-verified', message)];
    return findUncompared(job);
  }
  const mismatches = describeMismatches(job, error?.mismatches ?? []);
  if (mismatches.length > 0) return addHints(mismatches, job);
  const reason = error?.message ?? 'The verifier gave no result for this interaction';
  return [finding(job, 'not-verified', `${reason.replace(/\.$/, '')}.`)];
};

const finding = (
  { interaction }: InteractionJob,
  rule: string,
  message: string,
  place = interaction.place,
): Finding => ({ rule, severity: 'error', message, place, interaction: interaction.description });

type Json = Record<string, unknown>;

/**
 * Copies of the pacts for the native verifier, in which every interaction carries its number: in its description, in a
 * header of its request and in its only provider state. So each request, state and result is known for whose it is.
 */
const preparePacts = async (jobs: readonly InteractionJob[], folder: string): Promise<string[]> => {
  const pacts = [...new Set(jobs.map(({ pact }) => pact))];
  return Promise.all(
    pacts.map(async (pact, index) => {
      const path = join(folder, `pact-${index}.json`);
      const own = jobs.filter((job) => job.pact === pact);
      await writeFile(path, JSON.stringify(rewrite(pact, own)));
      return path;
    }),
  );
};

const rewrite = (pact: PactFile, jobs: readonly InteractionJob[]): Json => {
  const { metadata, consumer, provider } = pact.content;
  const version = Number.parseInt(pact.specification, 10);
  return { consumer, provider, metadata, interactions: jobs.map((job) => number(job, version)) };
};

const number = ({ id, interaction }: InteractionJob, version: number): Json => {
  const name = String(id);
  const {
    providerState: _state,
    provider_state: _oldState,
    providerStates: _states,
    key: _key,
    ...content
  } = interaction.content;
  const request = (content.request ?? {}) as Json;
  const state = version >= 3 ? { providerStates: [{ name }] } : { providerState: name };
  return {
    ...content,
    ...state,
    description: name,
    request: {
      ...request,
      ...('generators' in request && {
        generators: withoutCredentialGenerators(request.generators),
      }),
      headers: {
        ...((request.headers ?? {}) as Json),
        [INTERACTION_HEADER]: version >= 4 ? [name] : name,
      },
    },
  };
};

// Runs the native Pact verifier, which does the matching, and reads its report.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import type { Finding, PactFile, Place } from '../findings.ts';
import { Problem, sentenceOf } from '../findings.ts';
import type { InteractionReport, PactReport } from '../report/verification-report.ts';
import { isError } from '../report/verification-report.ts';
import { parseRulePath } from '../static-check/matching-rules.ts';
import type { InteractionJob, JobResult } from './interaction-proxy.ts';

type Mismatch = {
  type: string;
  mismatch?: string;
  path?: string;
  key?: string;
  expected?: unknown;
  actual?: unknown;
};

type VerifierError = {
  interaction: string;
  mismatch: { type: string; message?: string; mismatches?: Mismatch[] };
};

export type VerifierReport = {
  interactionResults: { description: string; result: string; duration: string }[];
  errors: VerifierError[];
  pendingErrors: VerifierError[];
};

type VerifierRun = {
  files: readonly string[];
  /** Port of the proxy on 127.0.0.1. */
  port: number;
  statePath: string;
  /** Folder for the report. */
  folder: string;
  signal?: AbortSignal | undefined;
};

/** Long enough for a state of a thousand versions. */
const REQUEST_TIMEOUT_MS = 120_000;

/** Throws Problem when the verifier cannot run or leaves no report. */
export const runNativeVerifier = async (run: VerifierRun): Promise<VerifierReport> => {
  const report = join(run.folder, 'report.json');
  const origin = `http://127.0.0.1:${run.port}`;
  const output = await runProgram(
    findVerifier(),
    [
      'verifier',
      ...run.files.flatMap((file) => ['--file', file]),
      '--hostname',
      '127.0.0.1',
      '--port',
      String(run.port),
      '--state-change-url',
      `${origin}${run.statePath}`,
      '--state-change-teardown',
      '--request-timeout',
      String(REQUEST_TIMEOUT_MS),
      '--json',
      report,
      '--no-colour',
      '--loglevel',
      'none',
    ],
    run.signal,
  );
  try {
    return JSON.parse(await readFile(report, 'utf8')) as VerifierReport;
  } catch {
    const reason = output.trim().split('\n').at(-1)?.slice(0, 300) || 'it said nothing';
    throw new Problem(`The Pact verifier gave no result: ${reason}.`);
  }
};

/** Pact's command line, which is also the verifier. */
export const findVerifier = (): string => {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@pact-foundation/pact-cli-${system}-${process.arch}`;
  try {
    const kit = createRequire(import.meta.url);
    const wrapper = createRequire(kit.resolve('@pact-foundation/pact-cli/package.json'));
    const folder = dirname(wrapper.resolve(`${name}/package.json`));
    return join(folder, 'standalone', process.platform === 'win32' ? 'pact.exe' : 'pact');
  } catch {
    throw new Problem(
      `The package ${name} with the Pact verifier is not installed: install the optional dependencies on this machine.`,
    );
  }
};

const runProgram = (file: string, args: string[], signal?: AbortSignal): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      // The verifier loads every certificate of the system for each request that it makes, a fifth of a second each
      // time; it talks to this machine only, without TLS.
      env: {
        ...process.env,
        PACT_DO_NOT_TRACK: 'true',
        SSL_CERT_FILE: devNull,
        SSL_CERT_DIR: dirname(file),
        HTTP_PROXY: '',
        http_proxy: '',
        NO_PROXY: '127.0.0.1',
      },
      ...(signal && { signal }),
    });
    let output = '';
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString('utf8')).slice(-16_384);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) =>
      reject(
        signal?.aborted
          ? signal.reason
          : new Problem(`The Pact verifier does not run: ${sentenceOf(error)}.`),
      ),
    );
    child.once('close', () => resolve(output));
  });

// Turns what the native verifier found into findings that stand at the line which expects something else.

const RULES: Record<string, string> = {
  StatusMismatch: 'wrong-status',
  HeaderMismatch: 'wrong-header',
  BodyTypeMismatch: 'wrong-content-type',
  BodyMismatch: 'wrong-body',
  MetadataMismatch: 'wrong-metadata',
};

/**
 * A wrong status first and alone: headers and body of another answer differ for that reason, and listing how would bury
 * it.
 */
export const describeMismatches = (
  job: InteractionJob,
  mismatches: readonly Mismatch[],
): Finding[] => {
  const status = mismatches.find(({ type }) => type === 'StatusMismatch');
  return (status ? [status] : mismatches).map((one) => describeMismatch(job, one));
};

const describeMismatch = (job: InteractionJob, mismatch: Mismatch): Finding => ({
  rule: RULES[mismatch.type] ?? 'wrong-answer',
  severity: 'error',
  message: `The service answered something else: ${sayMismatch(mismatch)}`,
  place: placeOf(job, mismatch),
  interaction: job.interaction.description,
});

const sayMismatch = (mismatch: Mismatch): string => {
  const { type, expected, actual, path } = mismatch;
  if (type === 'StatusMismatch') return `status ${actual} instead of ${expected}.`;
  if (type === 'BodyTypeMismatch') {
    return `a body of type ${firstLine(actual)} instead of ${firstLine(expected)}.`;
  }
  const text = firstLine(mismatch.mismatch ?? `expected ${expected}, got ${actual}`);
  return path && path !== '$' && !text.includes(path) ? `${path}: ${text}.` : `${text}.`;
};

/** The verifier quotes whole bodies and objects: what is long is shortened, what it is about stands around it. */
const firstLine = (text: unknown): string =>
  shorten((String(text).split('\n')[0] ?? '').trim().replace(/\.$/, ''));

const LONGEST_VALUE = 80;
const LONGEST_LINE = 300;

const shorten = (line: string): string => {
  const short = line.replace(
    /'[^']*'|\{.*?\}(?= \(| to | but |$)|\[.*?\](?= \(| to | but |$)/g,
    (value) =>
      value.length <= LONGEST_VALUE
        ? value
        : `${value.slice(0, LONGEST_VALUE - 2)}…${value.at(-1)}`,
  );
  return short.length <= LONGEST_LINE ? short : `${short.slice(0, LONGEST_LINE)}…`;
};

/** The line of the response's part that did not match; the interaction's own where the file does not have it. */
const placeOf = ({ pact, interaction }: InteractionJob, mismatch: Mismatch): Place => {
  const response = ['interactions', interaction.index, 'response'];
  if (!pact.locate) return interaction.place;
  if (mismatch.type === 'StatusMismatch') return pact.locate([...response, 'status']);
  if (mismatch.type === 'HeaderMismatch') {
    return pact.locate([...response, 'headers', ...(mismatch.key ? [mismatch.key] : [])]);
  }
  const body = (interaction.content.response as Record<string, unknown>).body;
  const isWrapped = typeof body === 'object' && body !== null && 'contentType' in body;
  const path = [...response, 'body', ...(isWrapped ? ['content'] : [])];
  return pact.locate([...path, ...(parseRulePath(mismatch.path ?? '$') ?? [])]);
};

// Joins what the static check says about an interaction with what its replay gave.

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
  const isStatus = ({ rule }: Finding) => rule === 'wrong-status';
  const findings = [
    ...replay.filter(isStatus),
    ...said,
    ...replay.filter((finding) => !isStatus(finding)),
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

// Runs the native Pact verifier, which does the matching, and reads its report.
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { Problem, sentenceOf } from '../findings.ts';

export type Mismatch = {
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

// muster-pact verify: pacts in, one report out.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ConsumerVersionSelector, PactToVerify } from '../broker/broker.ts';
import { fetchPactsToVerify, publishResults } from '../broker/broker.ts';
import type { BrokerAccess, HalClient } from '../broker/hal-client.ts';
import { createHalClient } from '../broker/hal-client.ts';
import type { Finding, PactFile } from '../findings.ts';
import { Problem } from '../findings.ts';
import { loadPacts } from '../pact-files/load-pacts.ts';
import { PROVIDER_NAME, selectOwnPacts } from '../pact-files/own-pacts.ts';
import type { RunningProvider } from '../provider/provider.ts';
import type { VerificationReport } from '../report/verification-report.ts';
import { isError } from '../report/verification-report.ts';
import { readDestinations, writeReports } from '../report/write-report.ts';
import { describeInLine } from '../report/write-text.ts';
import { LAST_RUN_NAME, writeResultFiles } from '../results/result-files.ts';
import { checkPresence, writeLastRun } from '../static-check/check-pacts.ts';
import { isRecord } from '../values.ts';
import type { PactSource } from '../verify/merge-results.ts';
import { verifyPacts } from '../verify/verify-pacts.ts';
import { KIT_VERSION } from '../version.ts';
import type { Terminal } from './options.ts';
import { createProgress, readOptions } from './options.ts';

export const runVerify = async (args: readonly string[], terminal: Terminal): Promise<number> => {
  const { values, positionals } = readOptions(args, VERIFY_OPTIONS);
  if (values.help) {
    terminal.out(VERIFY_HELP);
    return 0;
  }
  const destinations = readDestinations(values.reporter ?? [], values.out);
  const access = readBrokerAccess(values, terminal.env, positionals.length === 0);
  if (positionals.length === 0 && !access) {
    throw new Problem('Name a pact file, a folder or a URL, or a broker with --broker.');
  }
  const missing = [
    ...(access ? [] : ['--broker']),
    ...(values['provider-version'] ? [] : ['--provider-version']),
  ];
  if (values.publish && missing.length > 0) {
    throw new Problem(`--publish needs ${missing.join(' and ')}.`);
  }
  const progress = createProgress(terminal);
  try {
    const places = { targets: positionals, access, values };
    const found = await findPacts(places, terminal.signal, progress.say);
    const report = await verifyPacts({
      ...found,
      provider: readProvider(values, terminal),
      lastRunFile: values.results && join(values.results, LAST_RUN_NAME),
      signal: terminal.signal,
      onProgress: progress.say,
      onInteraction: ({ id, pact, interaction }, total) =>
        progress.say(`[${id}/${total}] ${pact.consumer}: ${interaction.description}`),
    });
    progress.end();
    const { out, colours, env } = terminal;
    const workspace = env.GITHUB_WORKSPACE;
    await writeReports(report, destinations, { write: out, colours, workspace });
    await keepResults(found, report, values, access);
    return report.verdict === 'passed' ? 0 : 1;
  } finally {
    progress.end();
  }
};

type PactPlaces = {
  targets: readonly string[];
  access: BrokerAccess | null;
  values: VerifyOptions;
};

type FoundPacts = {
  sources: PactSource[];
  findings: Finding[];
  /** Where the broker's own pacts are. */
  brokerUrls: ReadonlySet<string>;
};

/** Findings that leave nothing to verify: the input is bad, and the answer is neither a pass nor a failure. */
const UNUSABLE = ['unreadable-pact', 'no-pact-found', 'broken-json', 'not-a-pact'];

const findPacts = async (
  { targets, access, values }: PactPlaces,
  signal: AbortSignal,
  say: (sentence: string) => void,
): Promise<FoundPacts> => {
  const local = await loadPacts(targets, { signal });
  const broker = access && createHalClient(access, signal);
  const listed = broker ? await listPacts(broker, values) : [];
  if (broker && listed.length === 0 && targets.length === 0) {
    const provider = values.provider ?? PROVIDER_NAME;
    throw new Problem(`The broker has no pact of "${provider}" to verify.`);
  }
  for (const { notices } of listed) for (const notice of notices) say(notice);
  const remote = await loadPacts(
    listed.map(({ url }) => url),
    { headers: broker?.headers ?? {}, signal },
  );
  const { pacts, findings } = selectOwnPacts(
    {
      pacts: [...local.pacts, ...remote.pacts],
      findings: [...local.findings, ...remote.findings],
    },
    values.provider,
  );
  const unusable = findUnusable(pacts, findings);
  if (unusable.length > 0) throw new Problem(unusable.map(describeInLine).join('\n'));
  const pending = new Set(listed.filter((one) => one.pending).map(({ url }) => url));
  return {
    sources: pacts.map((pact) => ({ pact, pending: pending.has(pact.source) })),
    findings,
    brokerUrls: new Set(listed.map(({ url }) => url)),
  };
};

/** Where no interaction is left to verify, every error is a reason why. */
const findUnusable = (pacts: readonly PactFile[], findings: readonly Finding[]): Finding[] => {
  const unusable = findings.filter(({ rule }) => UNUSABLE.includes(rule));
  if (pacts.some(({ interactions }) => interactions.length > 0)) return unusable;
  const errors = findings.filter(isError);
  return errors.length > 0 ? errors : checkPresence(pacts);
};

const listPacts = (broker: HalClient, values: VerifyOptions): Promise<PactToVerify[]> =>
  fetchPactsToVerify(broker, {
    provider: values.provider ?? PROVIDER_NAME,
    selectors: values.selector?.map(readSelector) ?? DEFAULT_SELECTORS,
    enablePending: values.pending === true,
    includeWipSince: values['include-wip-since'],
    branch: values['provider-branch'],
    tags: values['provider-tag'] ?? [],
  });

/** Undefined where the kit starts a service of its own. */
const readProvider = (values: VerifyOptions, terminal: Terminal): RunningProvider | undefined => {
  const { 'provider-url': url, issuer, audience } = values;
  if (url === undefined) return undefined;
  return {
    url,
    secret: readSecret(values, terminal),
    ...(issuer && { issuer }),
    ...(audience && { audience }),
  };
};

/** A secret on the command line is seen by every user of the machine, so the environment and files are read too. */
const readSecret = ({ secret, 'secret-file': file }: VerifyOptions, { env }: Terminal): string => {
  if (secret) return secret;
  if (!file) {
    if (env.AUTH_JWT_SECRET) return env.AUTH_JWT_SECRET;
    throw new Problem('--provider-url needs --secret, --secret-file or AUTH_JWT_SECRET.');
  }
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    throw new Problem(`The secret file ${file} cannot be read.`);
  }
};

/** A failed run is recorded too, but only a green one raises the number of interactions to expect. */
const keepResults = async (
  { sources, brokerUrls }: FoundPacts,
  report: VerificationReport,
  values: VerifyOptions,
  access: BrokerAccess | null,
): Promise<void> => {
  const pacts = sources.map(({ pact }) => pact);
  if (values.results) {
    await writeResultFiles(values.results, pacts, report);
    if (report.verdict === 'passed') writeLastRun(join(values.results, LAST_RUN_NAME), pacts);
  }
  if (!values.publish || !access) return;
  const fromBroker = report.pacts.filter(({ source }) => brokerUrls.has(source));
  await publishResults(createHalClient(access), fromBroker, {
    provider: values.provider ?? PROVIDER_NAME,
    providerVersion: values['provider-version'] ?? '',
    branch: values['provider-branch'],
    tags: values['provider-tag'] ?? [],
    buildUrl: values['build-url'],
    kitVersion: KIT_VERSION,
  });
};

// The options of muster-pact verify, and what --help says about them.

const text = { type: 'string' } as const;
const list = { type: 'string', multiple: true } as const;
const flag = { type: 'boolean' } as const;

const VERIFY_OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  reporter: list,
  out: text,
  results: text,
  'provider-url': text,
  secret: text,
  'secret-file': text,
  issuer: text,
  audience: text,
  broker: text,
  'broker-token': text,
  'broker-username': text,
  'broker-password': text,
  provider: text,
  selector: list,
  pending: flag,
  'include-wip-since': text,
  publish: flag,
  'provider-version': text,
  'provider-branch': text,
  'provider-tag': list,
  'build-url': text,
} as const;

type VerifyOptions = ReturnType<typeof readOptions<typeof VERIFY_OPTIONS>>['values'];

const VERIFY_HELP = `muster-pact verify <files | folders | URLs> [options]

Checks pacts against the contract, and replays every interaction against the real service, which the command starts
by itself on a PostgreSQL of its own.

  --provider <name>           what the pacts call the service (muster); those of other providers are skipped

Reports
  --reporter <name>[=<file>]  text (default), junit, json, github; may be repeated
  --out <folder>              folder for reports that have no file of their own
  --results <folder>          keeps results to commit; fewer interactions than last time are an error

A service that runs already
  --provider-url <URL>        verifies that service instead of starting one
  --secret <secret>           its AUTH_JWT_SECRET; better: --secret-file, or AUTH_JWT_SECRET in the environment
  --secret-file <file>
  --issuer, --audience        where the service checks them

A broker
  --broker <URL>              also PACT_BROKER_BASE_URL; with --broker-token (PACT_BROKER_TOKEN), or
                              --broker-username and --broker-password (PACT_BROKER_USERNAME, PACT_BROKER_PASSWORD)
  --selector <json>           a consumer version selector; may be repeated; default: the main branch, and what is
                              deployed or released
  --pending                   pacts that the branch never verified may fail
  --include-wip-since <date>  pacts in work too
  --publish                   publishes the results, under
  --provider-version <v>, --provider-branch <b>, --provider-tag <t>, --build-url <URL>

Exit codes: 0 all verified (pending ones may fail), 1 findings, 2 bad input or no interaction to verify.
`;

/** Null when no broker is named. A broker in the environment counts only where no pact is named otherwise (`isAlone`). */
export const readBrokerAccess = (
  values: Partial<Record<string, unknown>>,
  env: Readonly<Record<string, string | undefined>>,
  isAlone: boolean,
): BrokerAccess | null => {
  const read = (option: string, variable: string): string | undefined => {
    const value = values[option];
    return typeof value === 'string' ? value : env[variable] || undefined;
  };
  if (values.broker === '') throw new Problem('--broker needs a URL.');
  const url = isAlone ? read('broker', 'PACT_BROKER_BASE_URL') : values.broker;
  if (typeof url !== 'string') return null;
  const [token, username, password] = [
    read('broker-token', 'PACT_BROKER_TOKEN'),
    read('broker-username', 'PACT_BROKER_USERNAME'),
    read('broker-password', 'PACT_BROKER_PASSWORD'),
  ];
  return {
    url: url.replace(/\/+$/, ''),
    ...(token && { token }),
    ...(username && { username }),
    ...(password && { password }),
  };
};

const DEFAULT_SELECTORS: ConsumerVersionSelector[] = [
  { mainBranch: true },
  { deployedOrReleased: true },
];

const readSelector = (selector: string): ConsumerVersionSelector => {
  try {
    const value: unknown = JSON.parse(selector);
    if (isRecord(value)) return value as ConsumerVersionSelector;
  } catch {
    // The same sentence as for JSON that is no object.
  }
  throw new Problem(`--selector ${selector} is no JSON object, such as {"mainBranch": true}.`);
};

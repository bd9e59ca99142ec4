// muster-pact verify: pacts in, one report out.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrokerAccess, HalClient, PactToVerify } from '../broker/client.ts';
import { createHalClient, fetchPactsToVerify, publishResults } from '../broker/client.ts';
import type { Finding } from '../finding.ts';
import { loadPacts, PROVIDER_NAME, selectOwnPacts } from '../pact-files/index.ts';
import { Problem } from '../problem.ts';
import { startEmbeddedProvider, useRunningProvider } from '../provider/index.ts';
import type { VerificationReport } from '../report/index.ts';
import { describePlace, readDestinations, writeReports } from '../report/index.ts';
import { LAST_RUN_NAME, writeResultFiles } from '../results/index.ts';
import { writeLastRun } from '../static-check/index.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { PactSource } from '../verify/index.ts';
import { verifyPacts } from '../verify/index.ts';
import { KIT_VERSION } from './kit-version.ts';
import { readOptions } from './options.ts';
import type { Terminal } from './terminal.ts';
import { createProgress } from './terminal.ts';
import type { VerifyOptions } from './verify-options.ts';
import { readBrokerAccess, readSelectors, VERIFY_HELP, VERIFY_OPTIONS } from './verify-options.ts';

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
  if (values.publish && !(access && values['provider-version'])) {
    throw new Problem('--publish needs --broker and --provider-version.');
  }
  const progress = createProgress(terminal);
  const isRemote = access !== null || positionals.some((target) => /^https?:/i.test(target));
  const downloads = isRemote ? temporaryFolder('muster-pact-downloads-') : null;
  try {
    const found = await findPacts(
      { targets: positionals, downloads: downloads?.path ?? '', access, values },
      terminal.signal,
      progress.say,
    );
    const { report } = await verify(found, values, terminal, progress.say);
    progress.end();
    const { out, colours } = terminal;
    await writeReports(report, destinations, { write: out, colours });
    await keepResults(found, report, values, access);
    return report.verdict === 'passed' ? 0 : 1;
  } finally {
    progress.end();
    downloads?.remove();
  }
};

type PactPlaces = {
  targets: readonly string[];
  /** Folder for copies of what has a URL. */
  downloads: string;
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
  { targets, downloads, access, values }: PactPlaces,
  signal: AbortSignal,
  say: (sentence: string) => void,
): Promise<FoundPacts> => {
  const local = await loadPacts(targets, { downloads, signal });
  const broker = access && createHalClient(access, signal);
  const listed = broker ? await listPacts(broker, values) : [];
  for (const { notices } of listed) for (const notice of notices) say(notice);
  const remote = await loadPacts(
    listed.map(({ url }) => url),
    { headers: broker?.headers ?? {}, downloads, signal },
  );
  const { pacts, findings } = selectOwnPacts(
    {
      pacts: [...local.pacts, ...remote.pacts],
      findings: [...local.findings, ...remote.findings],
    },
    values.provider,
  );
  const unusable = findings.filter(({ rule }) => UNUSABLE.includes(rule));
  if (unusable.length > 0) {
    throw new Problem(unusable.map((one) => `${describePlace(one)}: ${one.message}`).join('\n'));
  }
  const pending = new Set(listed.filter((one) => one.pending).map(({ url }) => url));
  return {
    sources: pacts.map((pact) => ({ pact, pending: pending.has(pact.source) })),
    findings,
    brokerUrls: new Set(listed.map(({ url }) => url)),
  };
};

const listPacts = (broker: HalClient, values: VerifyOptions): Promise<PactToVerify[]> =>
  fetchPactsToVerify(broker, {
    provider: values.provider ?? PROVIDER_NAME,
    selectors: readSelectors(values.selector ?? []),
    enablePending: values.pending === true,
    includeWipSince: values['include-wip-since'],
    branch: values['provider-branch'],
    tags: values['provider-tag'] ?? [],
  });

const verify = async (
  { sources, findings }: FoundPacts,
  values: VerifyOptions,
  terminal: Terminal,
  say: (sentence: string) => void,
): Promise<{ report: VerificationReport }> => {
  const url = values['provider-url'];
  const report = await verifyPacts({
    sources,
    findings,
    providerName: url ?? `${PROVIDER_NAME} ${KIT_VERSION}`,
    lastRunFile: values.results && join(values.results, LAST_RUN_NAME),
    signal: terminal.signal,
    startProvider: () =>
      url === undefined
        ? startEmbeddedProvider({ onProgress: say, signal: terminal.signal })
        : useRunningProvider({
            url,
            secret: readSecret(values, terminal),
            ...(values.issuer && { issuer: values.issuer }),
            ...(values.audience && { audience: values.audience }),
          }),
    onInteraction: ({ id, pact, interaction }, total) =>
      say(`[${id}/${total}] ${pact.consumer}: ${interaction.description}`),
  });
  return { report };
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

// muster-pact can-i-deploy: by a broker's matrix, or by committed result files.
import { askBroker } from '../broker/broker.ts';
import { Problem } from '../findings.ts';
import type { Decision } from '../results/result-files.ts';
import { decideByResults, readResultFiles } from '../results/result-files.ts';
import { loadUsablePacts } from './diff-command.ts';
import type { Terminal } from './options.ts';
import { readOptions } from './options.ts';
import { readBrokerAccess } from './verify-command.ts';

const HELP = `muster-pact can-i-deploy <pact files | folders> --results <folder> [--verified-against "muster <version>"] [--provider <name>]
muster-pact can-i-deploy --broker <URL> --pacticipant <name> --version <version> [--to-environment <name>]

Answers whether a consumer may be deployed. Without a broker: every pact needs a green result file, as verify --results
writes them, for exactly its present content; --provider says what the pacts call the service (muster), and those of other
providers are skipped. With a broker: what its matrix says.

Credentials of the broker as for verify. Exit codes: 0 yes, 1 no, 2 bad input.
`;

const text = { type: 'string' } as const;
const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  results: text,
  'verified-against': text,
  broker: text,
  'broker-token': text,
  'broker-username': text,
  'broker-password': text,
  pacticipant: text,
  provider: text,
  version: text,
  'to-environment': text,
} as const;

type Values = ReturnType<typeof readOptions<typeof OPTIONS>>['values'];

export const runCanIDeploy = async (
  args: readonly string[],
  { out, err, env }: Terminal,
): Promise<number> => {
  const { values, positionals } = readOptions(args, OPTIONS);
  if (values.help) {
    out(HELP);
    return 0;
  }
  const isAlone = positionals.length === 0 && !values.results;
  const access = readBrokerAccess(values, env, isAlone);
  const decision = access
    ? await askBroker(access, {
        ...readVersion(values),
        environment: values['to-environment'],
      })
    : await decideByFiles(positionals, values, err);
  out(
    `${decision.deployable ? 'Yes' : 'No'}\n${decision.reasons.map((one) => `  ${one}\n`).join('')}`,
  );
  return decision.deployable ? 0 : 1;
};

const readVersion = ({ pacticipant, version }: Values) => {
  if (pacticipant && version) return { pacticipant, version };
  throw new Problem('A broker is asked about --pacticipant and --version.');
};

const decideByFiles = async (
  targets: readonly string[],
  values: Values,
  say: Terminal['err'],
): Promise<Decision> => {
  if (!values.results || targets.length === 0) {
    throw new Problem('Name pact files and the folder of their --results, or a --broker.');
  }
  const pacts = await loadUsablePacts(targets, values.provider, say);
  return decideByResults(pacts, await readResultFiles(values.results), values['verified-against']);
};

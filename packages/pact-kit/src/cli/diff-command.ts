// muster-pact diff: what a new contract breaks, and which pacts it breaks.
import type { ContractChange, ContractDiff } from '../diff/diff-contracts.ts';
import { diffContracts, loadContract } from '../diff/diff-contracts.ts';
import type { PactFile } from '../findings.ts';
import { Problem } from '../findings.ts';
import { loadPacts } from '../pact-files/load-pacts.ts';
import { selectOwnPacts } from '../pact-files/own-pacts.ts';
import { isError } from '../report/verification-report.ts';
import { describeInLine, describePlace } from '../report/write-text.ts';
import type { Terminal } from './options.ts';
import { readOptions } from './options.ts';

const HELP = `muster-pact diff <old contract> <new contract> [pact files | folders | URLs] [--format text|json] [--provider <name>]

Compares two OpenAPI 3.1 documents (files or URLs, JSON or YAML): lists the changes that break clients, and for each
one the interactions of the given pacts that it breaks. --provider says what the pacts call the service (muster); those
of other providers are skipped.

Exit codes: 0 nothing breaks, 1 something does, 2 bad input.
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  format: { type: 'string', default: 'text' },
  provider: { type: 'string' },
} as const;

export const runDiff = async (
  args: readonly string[],
  { out, err }: Pick<Terminal, 'out' | 'err'>,
): Promise<number> => {
  const { values, positionals } = readOptions(args, OPTIONS);
  if (values.help) {
    out(HELP);
    return 0;
  }
  const [before, after, ...targets] = positionals;
  if (!before || !after)
    throw new Problem('diff needs two contracts: the old one and the new one.');
  if (values.format !== 'text' && values.format !== 'json') {
    throw new Problem(`There is no format "${values.format}": choose text, json.`);
  }
  const pacts = await loadUsablePacts(targets, values.provider, err);
  const diff = await diffContracts(await loadContract(before), await loadContract(after), pacts);
  out(values.format === 'json' ? `${JSON.stringify(toJson(diff), null, 2)}\n` : describeDiff(diff));
  return diff.broken.length > 0 || diff.changes.some(isBreaking) ? 1 : 0;
};

const isBreaking = ({ severity }: ContractChange): boolean => severity === 'error';

const describeDiff = ({ changes, broken, unexplained }: ContractDiff): string => {
  if (changes.length === 0 && broken.length === 0) return 'Nothing breaks.\n';
  const breaking = changes.filter(isBreaking).length;
  return [
    ...changes.flatMap(describeChange),
    ...unexplained.map(describeInteraction),
    '',
    `Breaking changes: ${breaking}. Interactions that break: ${broken.length}.`,
    '',
  ].join('\n');
};

const describeChange = (change: ContractChange): string[] => {
  const where = [change.method, change.path].filter(Boolean).join(' ');
  const text = where ? `${where}: ${change.text}` : change.text;
  return [`${change.severity}  ${text} (${change.id})`, ...change.breaks.map(describeInteraction)];
};

type Broken = ContractDiff['broken'][number];

const describeInteraction = ({ pact, interaction, findings }: Broken): string => {
  const why = findings.map(({ message }) => message).join(' ');
  const place = describePlace(interaction);
  return `  breaks ${pact.consumer}: ${interaction.description}  ${place}\n    ${why}`;
};

/** The pacts themselves stay out: they are files that the reader has. */
const toJson = ({ changes, broken, unexplained }: ContractDiff): object => ({
  formatVersion: 1,
  changes: changes.map((change) => ({ ...change, breaks: change.breaks.map(toBrokenJson) })),
  broken: broken.map(toBrokenJson),
  unexplained: unexplained.map(toBrokenJson),
});

const toBrokenJson = ({ pact, interaction, findings, operationId }: Broken): object => ({
  source: pact.source,
  consumer: pact.consumer,
  interaction: interaction.description,
  place: interaction.place,
  operationId,
  findings,
});

/** Returns the pacts about this service; `say` receives the skipped ones. Throws Problem with a line for each error. */
export const loadUsablePacts = async (
  targets: readonly string[],
  provider: string | undefined,
  say: Terminal['err'],
): Promise<PactFile[]> => {
  const { pacts, findings } = selectOwnPacts(await loadPacts(targets), provider);
  const errors = findings.filter(isError);
  if (errors.length > 0) throw new Problem(errors.map(describeInLine).join('\n'));
  for (const warning of findings) say(`${describeInLine(warning)}\n`);
  return pacts;
};

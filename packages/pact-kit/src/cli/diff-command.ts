// muster-pact diff: what a new contract breaks, and which pacts it breaks.
import type { AcceptedChange } from '../diff/accepted-changes.ts';
import { loadAcceptedChanges } from '../diff/accepted-changes.ts';
import type { ContractChange, ContractDiff } from '../diff/diff-contracts.ts';
import { diffContracts, loadContract } from '../diff/diff-contracts.ts';
import { nameChange } from '../diff/find-breaking-changes.ts';
import type { PactFile } from '../findings.ts';
import { Problem } from '../findings.ts';
import { loadPacts } from '../pact-files/load-pacts.ts';
import { selectOwnPacts } from '../pact-files/own-pacts.ts';
import { isError } from '../report/verification-report.ts';
import { describeInLine, describePlace } from '../report/write-text.ts';
import type { Terminal } from './options.ts';
import { readOptions } from './options.ts';

const HELP = `muster-pact diff <old contract> <new contract> [pact files | folders | URLs] [options]

Compares two OpenAPI 3.1 documents (files or URLs, JSON or YAML): lists the changes that break clients, and for each
one the interactions of the given pacts that it breaks. --provider says what the pacts call the service (muster); those
of other providers are skipped.

  --accepted <file>      a JSON list of {"change", "reason"}: changes that break no client, as this command names them;
                         default: accepted-changes.json beside the old contract
  --format text|json
  --provider <name>

Exit codes: 0 nothing breaks or all of it is accepted, 1 something breaks, 2 bad input.
`;

const OPTIONS = {
  help: { type: 'boolean', short: 'h' },
  format: { type: 'string', default: 'text' },
  provider: { type: 'string' },
  accepted: { type: 'string' },
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
  const found = await diffContracts(await loadContract(before), await loadContract(after), pacts);
  const accepted = await loadAcceptedChanges(values.accepted, before);
  const diff = { ...found, changes: accept(found.changes, accepted, err) };
  out(values.format === 'json' ? `${JSON.stringify(toJson(diff), null, 2)}\n` : describeDiff(diff));
  return diff.broken.length > 0 || diff.changes.some(isBreaking) ? 1 : 0;
};

/** `accepted` is the reason why the change breaks no client. */
type JudgedChange = ContractChange & { accepted?: string };
type JudgedDiff = Omit<ContractDiff, 'changes'> & { changes: JudgedChange[] };

const accept = (
  changes: readonly ContractChange[],
  accepted: readonly AcceptedChange[],
  say: Terminal['err'],
): JudgedChange[] => {
  const names = new Set(changes.map(nameChange));
  for (const { change } of accepted.filter((one) => !names.has(one.change))) {
    say(`The list accepts a change that was not made: ${change}\n`);
  }
  const reasons = new Map(accepted.map(({ change, reason }) => [change, reason]));
  return changes.map((change) => {
    const reason = reasons.get(nameChange(change));
    return { ...change, ...(reason !== undefined && { accepted: reason }) };
  });
};

const isBreaking = ({ severity, accepted }: JudgedChange): boolean =>
  severity === 'error' && accepted === undefined;

const describeDiff = ({ changes, broken, unexplained }: JudgedDiff): string => {
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

const describeChange = (change: JudgedChange): string[] => [
  `${change.accepted === undefined ? change.severity : 'accepted'}  ${nameChange(change)}`,
  ...(change.accepted === undefined ? [] : [`  ${change.accepted}`]),
  ...change.breaks.map(describeInteraction),
];

type Broken = ContractDiff['broken'][number];

const describeInteraction = ({ pact, interaction, findings }: Broken): string => {
  const why = findings.map(({ message }) => message).join(' ');
  const place = describePlace(interaction);
  return `  breaks ${pact.consumer}: ${interaction.description}  ${place}\n    ${why}`;
};

/** The pacts themselves stay out: they are files that the reader has. */
const toJson = ({ changes, broken, unexplained }: JudgedDiff): object => ({
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

// The table of contents of muster-pact, and its shortest command.
import { Problem } from '../findings.ts';
import { renderStates } from '../provider-states/render-states.ts';
import { KIT_VERSION } from '../version.ts';
import { runCanIDeploy } from './can-i-deploy-command.ts';
import { runDiff } from './diff-command.ts';
import type { Terminal } from './options.ts';
import { readOptions } from './options.ts';
import { runVerify } from './verify-command.ts';

const HELP = `muster-pact <command>

  states        lists the provider states that a pact may name
  verify        verifies pacts against the contract and against the real service
  diff          finds breaking changes between two contracts, and the pacts that they break
  can-i-deploy  answers whether a consumer may be deployed

muster-pact <command> --help says more. Exit codes: 0 yes, 1 findings or no, 2 bad input.
`;

type Command = (args: readonly string[], terminal: Terminal) => Promise<number>;

const STATES_HELP = `muster-pact states [--format text|json|markdown]

Lists the provider states that a pact may name: their parameters, an example of each, and which optional fields of an
answer they guarantee.
`;

const FORMATS = ['text', 'json', 'markdown'] as const;

const runStates = async (args: readonly string[], { out }: Terminal): Promise<number> => {
  const { values, positionals } = readOptions(args, {
    help: { type: 'boolean', short: 'h' },
    format: { type: 'string', default: 'text' },
  });
  if (values.help) {
    out(STATES_HELP);
    return 0;
  }
  if (positionals[0]) throw new Problem(`states takes no "${positionals[0]}". Use --help.`);
  const format = FORMATS.find((known) => known === values.format);
  if (!format) {
    throw new Problem(`There is no format "${values.format}": choose ${FORMATS.join(', ')}.`);
  }
  out(renderStates(format));
  return 0;
};

const COMMANDS: Record<string, Command> = {
  states: runStates,
  verify: runVerify,
  diff: runDiff,
  'can-i-deploy': runCanIDeploy,
};

/** The exit code. Throws Problem for what a person can put right. */
export const runCommand: Command = async (args, terminal) => {
  const [name = '--help', ...rest] = args;
  if (name === '--help' || name === '-h' || name === 'help') {
    terminal.out(HELP);
    return args.length === 0 ? 2 : 0;
  }
  if (name === '--version') {
    terminal.out(`${KIT_VERSION}\n`);
    return 0;
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) {
    const known = Object.keys(COMMANDS).join(', ');
    throw new Problem(`There is no command "${name}": choose ${known}.`);
  }
  return command(rest, terminal);
};

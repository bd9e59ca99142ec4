// muster-pact states: the catalogue of provider states.
import { Problem } from '../problem.ts';
import { renderStates } from '../provider-states/index.ts';
import { readOptions } from './options.ts';
import type { Terminal } from './terminal.ts';

const HELP = `muster-pact states [--format text|json|markdown]

Lists the provider states that a pact may name: their parameters, an example of each, and which optional fields of an
answer they guarantee.
`;

const FORMATS = ['text', 'json', 'markdown'] as const;
const isFormat = (name: string): name is (typeof FORMATS)[number] =>
  FORMATS.some((known) => known === name);

export const runStates = async (args: readonly string[], { out }: Terminal): Promise<number> => {
  const { values, positionals } = readOptions(args, {
    help: { type: 'boolean', short: 'h' },
    format: { type: 'string', default: 'text' },
  });
  if (values.help) {
    out(HELP);
    return 0;
  }
  if (positionals[0]) throw new Problem(`states takes no "${positionals[0]}". Use --help.`);
  if (!isFormat(values.format)) {
    throw new Problem(`There is no format "${values.format}": choose ${FORMATS.join(', ')}.`);
  }
  out(renderStates(values.format));
  return 0;
};

// The catalogue for people and for programs: plain text, Markdown, JSON.
import type { ProviderState } from './catalogue.ts';
import { PROVIDER_STATES } from './catalogue.ts';
import { parameterRows, parameterSchema } from './parameter-rows.ts';
import type { Condition } from './state-definition.ts';

export type StatesFormat = 'text' | 'json' | 'markdown';

/** Every state with its parameters, an example and what it guarantees; ends with a line break. */
export const renderStates = (format: StatesFormat): string => RENDERERS[format]();

const renderJson = (): string => {
  const states = PROVIDER_STATES.map((state: ProviderState) => ({
    name: state.name,
    description: state.description,
    parameters: parameterSchema(state),
    from_path: state.fromPath,
    example: state.example,
    guarantees: state.guarantees,
    echoes: state.echoes,
  }));
  return `${JSON.stringify({ provider_states: states }, null, 2)}\n`;
};

const renderText = (): string =>
  PROVIDER_STATES.map((state) =>
    [
      state.name,
      `  ${state.description}`,
      ...parameterRows(state)
        .filter(({ name }) => !name.includes('.'))
        .map((row) => `    ${row.name}: ${row.type}${row.default && ` (default ${row.default})`}`),
      `  Example: ${JSON.stringify(state.example)}`,
      '',
    ].join('\n'),
  ).join('\n');

const MARKDOWN_HEAD = `# Provider states

What a consumer's pact may name under \`providerStates\`. Generated from the catalogue of the pact kit; do not edit.

Every parameter may be left out. Where a default comes from the request's path, a state without parameters is about what
the interaction asks for. A name or a parameter that is not listed here is an error, with the nearest one as a suggestion.

A pact may rely on an optional response field only where a state in use guarantees it; "Guarantees" lists those fields.
`;

const renderMarkdown = (): string =>
  [MARKDOWN_HEAD, ...PROVIDER_STATES.map(stateSection)].join('\n');

const stateSection = (state: ProviderState): string => {
  const rows = parameterRows(state).map(
    (row) =>
      `| \`${row.name}\` | ${cell(row.type)} | ${row.default && code(row.default)} | ${cell(row.description)} |`,
  );
  return [
    `## ${state.name}`,
    '',
    state.description,
    '',
    '```json',
    JSON.stringify({ name: state.name, params: state.example }, null, 2),
    '```',
    '',
    '| Parameter | Type | Default | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
    ...guaranteeLines(state),
  ].join('\n');
};

const guaranteeLines = (state: ProviderState): string[] => {
  const lines = [
    ...state.guarantees.map(
      ({ paths, when, because }) =>
        `- ${paths.map((path) => `\`${path}\``).join(', ')}${conditions(when)}. ${because}`,
    ),
    ...state.echoes.map(
      ({ parameters, to }) =>
        `- What is given in ${parameters.map((name) => `\`${name}\``).join(', ')} comes back${to && ` in \`${to}\``}.`,
    ),
  ];
  return lines.length === 0 ? [] : ['Guarantees:', '', ...lines, ''];
};

const conditions = (when: readonly Condition[]): string =>
  when.length === 0 ? '' : `, when ${when.map(phrase).join(' and ')}`;

const phrase = (condition: Condition): string => {
  if ('given' in condition) return `\`${condition.given}\` is given`;
  if ('sent' in condition) return `the request sends \`${condition.sent}\``;
  if ('noHeldSeats' in condition) return 'nobody is invited or reserved';
  if ('onlyPlayer' in condition) return 'the session has no other player';
  return 'it makes more versions than the page holds';
};

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string =>
  text.startsWith('from the ') ? cell(text) : `\`${cell(text)}\``;

const RENDERERS: Record<StatesFormat, () => string> = {
  text: renderText,
  json: renderJson,
  markdown: renderMarkdown,
};

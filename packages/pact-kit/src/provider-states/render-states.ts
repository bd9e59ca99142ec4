// The catalogue for people and for programs: plain text, Markdown, JSON.

import type { Schema } from '../static-check/openapi-document.ts';
import type { ProviderState } from './resolve-state.ts';
import { PROVIDER_STATES, parameterSchema } from './resolve-state.ts';
import type { Condition } from './state-definition.ts';

type StatesFormat = 'text' | 'json' | 'markdown';

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
        .filter(({ name, isRequired }) => isRequired || !name.includes('.'))
        .map((row) => `    ${row.name}: ${row.type}${remarkOf(row)}`),
      `  Example: ${JSON.stringify(state.example)}`,
      '',
    ].join('\n'),
  ).join('\n');

const remarkOf = (row: ParameterRow): string => {
  if (row.isRequired) return row.name.includes('.') ? ' (required in each)' : ' (required)';
  return row.default && ` (default ${row.default})`;
};

const MARKDOWN_HEAD = `# Provider states

What a consumer's pact may name under \`providerStates\`. Generated from the catalogue of the pact kit; do not edit.

Every parameter of a state may be left out; a field inside one, such as a seat's player, is **required** where the table
marks it so. When a default comes from the request's path, a state without parameters is about what the interaction asks for.

A generator of the request (\`fromProviderState\` in most libraries) may read every parameter of the states in use by its
name: \`\${sandbox_id}\`, \`\${player_uuid}\`. A name or a parameter that is not listed here is an error, with the nearest one as a suggestion.

A pact may rely on an optional response field only where a state in use guarantees it; "Guarantees" lists those fields.
`;

const stateSection = (state: ProviderState): string => {
  const rows = parameterRows(state).map(
    (row) =>
      `| \`${row.name}\` | ${cell(row.type)} | ${row.isRequired ? '**required**' : row.default && code(row.default)} | ${cell(row.description)} |`,
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
        `- ${paths.map((path) => `\`${path}\``).join(', ')}${when.length > 0 ? `, when ${when.map(phrase).join(' and ')}` : ''}. ${because}`,
    ),
    ...state.echoes.map(
      ({ parameters, to }) =>
        `- The response contains the values of ${parameters.map((name) => `\`${name}\``).join(', ')}${to && ` in \`${to}\``}.`,
    ),
  ];
  return lines.length === 0 ? [] : ['Guarantees:', '', ...lines, ''];
};

const phrase = (condition: Condition): string => {
  if ('given' in condition) return `\`${condition.given}\` is given`;
  if ('sent' in condition) return `the request sends \`${condition.sent}\``;
  if ('noHeldSeats' in condition) return 'no player is invited or reserved';
  if ('onlyPlayer' in condition) return 'the session has no other player';
  return 'it makes more versions than the page holds';
};

const cell = (text: string): string => text.replaceAll('|', '\\|');
const code = (text: string): string =>
  text.startsWith('from the ') ? cell(text) : `\`${cell(text)}\``;

const RENDERERS: Record<StatesFormat, () => string> = {
  text: renderText,
  json: renderJson,
  markdown: () => [MARKDOWN_HEAD, ...PROVIDER_STATES.map(stateSection)].join('\n'),
};

// The parameters of a state as people read them: one row per parameter, nested ones with dotted names.

type ParameterRow = {
  name: string;
  type: string;
  /** As JSON; the path parameter it is taken from, where there is one. */
  default: string;
  /** Must be given whenever its parent object is given. */
  isRequired: boolean;
  description: string;
};

const parameterRows = (state: ProviderState): ParameterRow[] => {
  const schema = parameterSchema(state);
  return rowsOf(schema, '', { definitions: schema.$defs ?? {}, fromPath: state.fromPath });
};

type Context = {
  definitions: Record<string, Schema>;
  fromPath: Readonly<Record<string, string>>;
};

const rowsOf = (schema: Schema, prefix: string, context: Context): ParameterRow[] =>
  Object.entries(schema.properties ?? {}).flatMap(([key, written]) => {
    const property = resolve(written, context);
    const name = `${prefix}${key}`;
    const pathParameter = prefix === '' ? context.fromPath[key] : undefined;
    const row = {
      name,
      type: typeOf(property, context),
      default: defaultOf(written, pathParameter),
      isRequired: schema.required?.includes(key) === true,
      description: written.description ?? property.description ?? '',
    };
    const { items } = property;
    return [
      row,
      ...(items
        ? rowsOf(resolve(items, context), `${name}[].`, context)
        : rowsOf(property, `${name}.`, context)),
    ];
  });

const resolve = (schema: Schema, { definitions }: Context): Schema => {
  const name = schema.$ref?.replace('#/$defs/', '');
  return name === undefined ? schema : { ...definitions[name], ...schema };
};

const defaultOf = (written: Schema, pathParameter: string | undefined): string => {
  const value = written.default === undefined ? '' : JSON.stringify(written.default);
  if (pathParameter === undefined) return value;
  return `from the request's path, else ${value}`;
};

const typeOf = (written: Schema, context: Context): string => {
  const schema = resolve(written, context);
  if (schema.enum) return schema.enum.map(String).join(', ');
  if (schema.anyOf) return schema.anyOf.map((choice) => typeOf(choice, context)).join(' or ');
  if (schema.items) return `list of ${typeOf(schema.items, context)}`;
  if (schema.type === 'object' && schema.additionalProperties && !schema.properties) {
    return 'map of strings';
  }
  return `${nounOf(schema)}${boundsOf(schema)}`;
};

const nounOf = ({ format, type = 'any' }: Schema): string =>
  format === 'uuid' ? 'UUID' : format === 'date-time' ? format : String(type);

const boundsOf = ({ minimum, maximum, minLength, maxLength }: Schema): string => {
  if (minLength !== undefined || maxLength !== undefined) {
    return ` ${minLength ?? 0}..${maxLength ?? ''}`;
  }
  const isSafe = maximum === Number.MAX_SAFE_INTEGER;
  return minimum === undefined || maximum === undefined || isSafe ? '' : ` ${minimum}..${maximum}`;
};

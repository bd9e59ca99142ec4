// The tables of docs/admin-api.md: every procedure of the admin API, from its OpenAPI document.
import { toTable } from './limits-page.ts';

type Schema = {
  $ref?: string;
  type?: string | readonly string[];
  anyOf?: readonly Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  deprecated?: boolean;
};

type Content = { content: { 'application/json': { schema: Schema } } };
type Operation = {
  tags: readonly string[];
  summary: string;
  description: string;
  'x-error-codes'?: readonly string[];
  requestBody?: Content;
  responses: { 200: Content };
};

export type AdminDocument = {
  tags: readonly { name: string; description: string }[];
  paths: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
};

/** The sections of docs/admin-rules.md that explain a group. */
export const RULES: Readonly<Record<string, string>> = {
  sessions: 'sessions',
  sessionTypes: 'session-types',
  players: 'players',
  refusedJoins: 'refused-joins',
  events: 'the-feed-of-changes',
  webhooks: 'webhooks',
  sandboxes: 'sandboxes',
  items: 'items-and-xp-tables',
  xp: 'items-and-xp-tables',
  itemSchemas: 'item-schemas',
  versions: 'history-for-people',
  edits: 'edits-and-change-sets',
  changeSets: 'edits-and-change-sets',
  views: 'saved-views',
  records: 'history-for-people',
  compare: 'two-sandboxes',
  verification: 'verification-overview-search',
  overview: 'verification-overview-search',
  search: 'verification-overview-search',
  audit: 'audit-and-system',
  maintenance: 'maintenance',
  system: 'audit-and-system',
  me: 'signing-in',
  people: 'people',
  invitations: 'people',
  keys: 'keys',
  accounts: 'people',
};

const HEAD = '| Procedure | | Permission | Input | Output | Errors |';

/** One section for each group. Throws for a group without rules, and for a procedure that names no permission. */
export const composeProcedures = ({ tags, paths, components }: AdminDocument): string => {
  const operations = Object.entries(paths).map(([path, { post }]) => ({
    name: path.replace('/admin/trpc/', ''),
    operation: post,
  }));
  const sections = tags.map(({ name: tag, description }) => {
    const rows = operations
      .filter(({ operation }) => operation.tags.includes(tag))
      .map(({ name, operation }) => composeRow(name, operation, components.schemas));
    const rules = RULES[tag];
    if (!rules) throw new Error(`scripts/site/admin-page.ts has no rules for ${tag}.`);
    const intro = `${description} [Rules](admin-rules.md#${rules}).`;
    return `### ${tag}\n\n${intro}\n\n${toTable(HEAD, rows)}`;
  });
  return sections.join('\n\n');
};

/** The description ends with who may call, and with the codes of errors, which have cells of their own. */
const ACCESS = /(?:^|(?<note>.*?) )Needs (?<access>[^.]*)\.(?: Errors: .*)?$/s;

const composeRow = (
  name: string,
  operation: Operation,
  schemas: AdminDocument['components']['schemas'],
): string => {
  const { note, access } = ACCESS.exec(operation.description)?.groups ?? {};
  if (access === undefined) throw new Error(`${name} names no permission.`);
  const input = operation.requestBody?.content['application/json'].schema;
  const success = schemas[nameOf(operation.responses[200].content['application/json'].schema)];
  const data = success?.properties?.result?.properties?.data;
  const codes = operation['x-error-codes'] ?? [];
  const cells = [
    `\`${name}\``,
    note ? `${operation.summary}. ${note}` : operation.summary,
    describeAccess(access),
    input ? describeInput(resolve(input, schemas)) : '–',
    data ? describeOutput(data, schemas) : '–',
    codes.map((code) => `\`${code}\``).join(', ') || '–',
  ];
  return `| ${cells.join(' | ')} |`;
};

const nameOf = ({ $ref = '' }: Schema): string => $ref.replace('#/components/schemas/', '');

const resolve = (schema: Schema, schemas: Record<string, Schema>): Schema =>
  schema.$ref ? (schemas[nameOf(schema)] ?? {}) : schema;

const describeAccess = (access: string): string =>
  access
    .replace('no credential', '–')
    .replace('a credential, and no permission', 'any')
    .replace(', for all sandboxes or for this one', ' (sandbox)');

const describeInput = ({ properties = {}, required = [] }: Schema): string => {
  const members = Object.entries(properties)
    .filter(([, { deprecated }]) => !deprecated)
    .map(([name]) => `\`${name}${required.includes(name) ? '' : '?'}\``);
  return members.join(', ') || '–';
};

/** A resource by its name; what only this procedure returns by its members. */
const describeOutput = (schema: Schema, schemas: Record<string, Schema>): string => {
  const name = nameOf(schema);
  if (name && !name.endsWith('Output')) return `\`${name}\``;
  const { anyOf, items, properties = {}, required = [] } = resolve(schema, schemas);
  if (anyOf) return anyOf.map((one) => describeOutput(one, schemas)).join(' or ');
  if (items) return `\`${nameOf(items) || 'object'}[]\``;
  const members = Object.entries(properties).map(([member, value]) => {
    const optional = required.includes(member) ? '' : '?';
    const element = value.items?.$ref ? `: ${nameOf(value.items)}[]` : '';
    return `\`${member}${optional}${element}\``;
  });
  return members.join(', ') || 'null';
};

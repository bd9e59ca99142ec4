// Builds the OpenAPI document from the router: nothing in it is written down twice.

import type { ZodOpenApiObject, ZodOpenApiOverride } from 'zod-openapi';
import { createDocument } from 'zod-openapi';
import manifest from '../../package.json' with { type: 'json' };
import { companionContract } from '../companion/companion-router.ts';
import { COMPANION_ERROR_CODES } from '../errors/error-catalogue.ts';
import { contract } from '../router.ts';
import { UUID_PATTERN } from '../strings.ts';
import type { HistoryAccess } from './describe-operation.ts';
import { describeOperation } from './describe-operation.ts';
import type { RouteName } from './error-examples.ts';
import { PATH_EXAMPLES } from './error-examples.ts';
import { polishMembers } from './polish-members.ts';

export type OpenApiOptions = {
  /** 3.0.3 for generators that do not read 3.1 yet. */
  version: '3.1.0' | '3.0.3';
  /** `public`: the histories need no credential and refuse none. */
  historyAccess?: HistoryAccess;
};

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** The same input gives the same document, key by key. */
export const buildOpenApi = ({
  version,
  historyAccess = 'authenticated',
}: OpenApiOptions): OpenApiDocument =>
  build(version, {
    info: describeApi('Muster', DESCRIPTION),
    tags: TAGS,
    paths: describePaths(contract, historyAccess),
  });

/** The companion endpoints, in a document of their own. */
export const buildCompanionOpenApi = ({
  version,
}: Pick<OpenApiOptions, 'version'>): OpenApiDocument => {
  const document = build(version, {
    info: describeApi('Muster companion endpoints', COMPANION_DESCRIPTION),
    tags: COMPANION_TAGS,
    paths: describePaths(companionContract, 'authenticated'),
  });
  // The schema of errors belongs to both documents and lists the codes of the first one.
  const { schemas } = document.components as { schemas: { ServiceErrorBody: ErrorSchema } };
  schemas.ServiceErrorBody.properties.error_code['x-extensible-enum'] = COMPANION_ERROR_CODES;
  return document;
};

type ErrorSchema = { properties: { error_code: Record<string, unknown> } };

type Content = Required<Pick<ZodOpenApiObject, 'info' | 'tags' | 'paths'>>;

const build = (
  version: OpenApiOptions['version'],
  { info, tags, paths }: Content,
): OpenApiDocument => {
  const document = createDocument(
    {
      openapi: version,
      info,
      servers: SERVERS,
      tags,
      security: [{ bearerAuth: [] }],
      paths,
      components: { securitySchemes: SECURITY_SCHEMES },
    },
    { override: polishSchema },
  );
  polishParameters(document);
  polishMembers(document);
  return version === '3.0.3' ? (convert(document) as OpenApiDocument) : document;
};

const describePaths = (
  routes: typeof contract | typeof companionContract,
  historyAccess: HistoryAccess,
) =>
  Object.fromEntries(
    Object.entries(routes).map(([name, { method, path }]) => [
      toPathTemplate(path),
      { [method.toLowerCase()]: describeOperation(name as RouteName, historyAccess) },
    ]),
  );

// The document apart from the operations: title, servers, tags, credentials.

const TAGS = [
  {
    name: 'Sessions',
    description: 'Players join multiplayer sessions through the sessions of their platforms.',
  },
  {
    name: 'Histories',
    description: 'Every version of every Item and Xp table of a sandbox, page by page.',
  },
];

const COMPANION_TAGS = [
  { name: 'Sessions', description: 'What a game client does with its sessions besides the join.' },
];

const CONVENTIONS = `**Errors.** There is no 401: a missing or bad credential is 403 with \`auth_success: false\`, so refresh the token and send the request again. Any other refusal has \`auth_success: true\`. Every 409, 429 and 503 says in \`Retry-After\` when to come back. A 422 lists every problem of the request. Later versions may add fields and error codes: ignore fields that you do not know, and treat an unknown \`error_code\` by its status.

**Values.** Bodies are JSON in UTF-8. UUIDs in requests are 32 hexadecimal digits in either case, with hyphens (8-4-4-4-12) or without; answers write them with hyphens and in lower case. Integers are at most 2^53 − 1 in magnitude. Lengths count Unicode characters. Date-times are RFC 3339 in UTC. Null for an optional member of a request body is the same as its absence; answers leave absent fields out. Unknown parameters and fields of a request are ignored; a scalar query parameter given twice is refused.

**Enumerations.** A value that is added to an enumeration of an answer counts as a breaking change: it comes only with a new major version, which is announced. Clients should accept unknown values all the same, so that a build that players still have does not fail. Read an unknown value as a plain string, or as a member for unknown values: \`enumUnknownDefaultCase\` in OpenAPI Generator for Java, Dart and Swift. The option has no effect in PHP and Ruby, and does not exist in Kotlin and C#: remove the enumerations from your copy of the document there.`;

const DESCRIPTION = `Players join multiplayer sessions across platforms; live-ops teams read the version history of a game's Items and Xp tables.

${CONVENTIONS}`;

const COMPANION_DESCRIPTION = `Players read a session in which they have a seat, list their sessions, and leave. The join is described in \`/openapi.json\`.

${CONVENTIONS}`;

const describeApi = (title: string, description: string) => ({
  title,
  version: manifest.version,
  description,
  license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
});

const SERVERS = [
  { url: '/', description: 'The service that this document comes from, or the base URL of yours.' },
];

const SECURITY_SCHEMES = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A signed JWT with `sub` (for a player, the player UUID), `exp`, and permissions in the claim `permissions` (an array of strings) or `scope` (separated by spaces). A permission that ends in `*` covers everything below it.',
  },
} as const;

/** `/a/:b/` is `/a/{b}/` in OpenAPI. */
const toPathTemplate = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

// Parameters as documents and generators want them: one description, lists as repeated keys, examples.

type Parameter = { name: string; in: string; schema: { type?: unknown; description?: unknown } };

const polishParameters = (document: OpenApiDocument): void => {
  for (const pathItem of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(pathItem as Record<string, Operation>)) {
      operation.parameters = operation.parameters.map(polishParameter);
    }
  }
};

type Operation = { parameters: Parameter[] };

const polishParameter = ({ schema, ...parameter }: Parameter): Parameter => {
  const { description: _said, ...ownSchema } = schema;
  const example = parameter.in === 'path' ? PATH_EXAMPLES[parameter.name] : undefined;
  return {
    ...parameter,
    ...(schema.type === 'array' && { style: 'form', explode: true }),
    schema: ownSchema,
    ...(example !== undefined && { example }),
  };
};

// Says in a schema what its readers need, and leaves out what only validators of zod's kind understand.

/** Their format says it; the patterns are long and their dialect of expressions is not everyone's. */
const FORMATS_WITHOUT_PATTERN = new Set(['uuid', 'date-time']);

export const polishSchema: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  if (jsonSchema.format === 'uuid' && io === 'input') {
    // `format` means hyphens (RFC 9562 section 4): a client that checks it could not send the other form.
    delete jsonSchema.format;
    jsonSchema.pattern = UUID_PATTERN;
  }
  if (FORMATS_WITHOUT_PATTERN.has(jsonSchema.format ?? '')) delete jsonSchema.pattern;
  // Fields may be added to answers: a closed object would make every addition a breaking change.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  // OpenAPI Generator compiles no boolean constant, and clients remove enumerations from the document.
  if (jsonSchema.const !== undefined) {
    jsonSchema.enum = [jsonSchema.const];
    delete jsonSchema.const;
  }
  // Generators take a number without a format for 32 bits.
  if (jsonSchema.type === 'number') jsonSchema.format ??= 'double';
  if (jsonSchema.type === 'integer' && (jsonSchema.maximum ?? 0) > MAX_INT32) {
    jsonSchema.format = 'int64';
    if (jsonSchema.enum) {
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
    }
  }
};

const MAX_INT32 = 2 ** 31 - 1;

// Differences in the schemas of OpenAPI 3.0: one example instead of several, no keyword beside a reference.

/** Their content is data, not description: it is carried over as it is. */
const DATA_KEYS = new Set(['example', 'value', 'default', 'enum', 'x-extensible-enum']);

const convert = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(convert);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => convertEntry(key, value));
  return withoutLoneAllOf(Object.fromEntries(entries));
};

/** The examples of a schema are a list; those of a body or parameter are named, in both versions. */
const convertEntry = (key: string, value: unknown): [string, unknown] => {
  if (key === 'examples' && Array.isArray(value)) return ['example', value[0]];
  return [key, DATA_KEYS.has(key) ? value : convert(value)];
};

/** `allOf` around a single reference is needed only when the schema has other keywords. */
const withoutLoneAllOf = (node: Record<string, unknown>): unknown =>
  Object.keys(node).length === 1 && Array.isArray(node.allOf) && node.allOf.length === 1
    ? node.allOf[0]
    : node;

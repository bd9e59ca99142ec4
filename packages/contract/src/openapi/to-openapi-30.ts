// What differs in the schemas of OpenAPI 3.0: one example instead of several, no keyword beside a reference.
import type { createDocument } from 'zod-openapi';

type Document = ReturnType<typeof createDocument>;

/** Their content is data, not description: it is carried over as it is. */
const DATA_KEYS = new Set(['example', 'value', 'default', 'enum', 'x-extensible-enum']);

export const toOpenApi30 = (document: Document): Document => convert(document) as Document;

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

/** `allOf` around a single reference is needed only where other keywords stand beside it. */
const withoutLoneAllOf = (node: Record<string, unknown>): unknown =>
  Object.keys(node).length === 1 && Array.isArray(node.allOf) && node.allOf.length === 1
    ? node.allOf[0]
    : node;

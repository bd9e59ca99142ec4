// eachKey and eachValue: the rules that they hold stand for every key or value, which have a schema of their own.
import type { MatchedField } from './check-matcher.ts';
import { isRecord } from './json-value.ts';
import type { Matcher } from './matching-rules.ts';
import { matchersOf } from './matching-rules.ts';
import type { OpenApi, Schema } from './openapi-document.ts';
import { resolveSchema } from './openapi-document.ts';

export type InnerMatcher = { matcher: Matcher; field: MatchedField };

/** The inner rules, each with the field that it is about; none for a matcher of another kind. */
export const listInnerMatchers = (
  matcher: Matcher,
  field: MatchedField,
  document: OpenApi,
): InnerMatcher[] => {
  const kind = matcher.match.replace('-', '').toLowerCase();
  if (kind !== 'eachkey' && kind !== 'eachvalue') return [];
  const rules = matchersOf({ matchers: matcher.rules });
  const label = `${kind === 'eachkey' ? 'each key' : 'each value'} of ${field.label}`;
  const schema = kind === 'eachkey' ? KEY : resolveSchema(document, valueSchema(field.schema));
  return partsOf(field.example, kind).flatMap((example) =>
    rules.map((rule) => ({ matcher: rule, field: { ...field, label, schema, example } })),
  );
};

const KEY: Schema = { type: 'string' };

const valueSchema = ({ additionalProperties, items }: Schema): Schema =>
  items ?? (typeof additionalProperties === 'object' ? additionalProperties : {});

/** One part is enough: the example stands for all. */
const partsOf = (example: unknown, kind: 'eachkey' | 'eachvalue'): unknown[] => {
  if (Array.isArray(example)) return kind === 'eachvalue' ? example.slice(0, 1) : [];
  if (!isRecord(example)) return [];
  const parts = kind === 'eachkey' ? Object.keys(example) : Object.values(example);
  return parts.slice(0, 1);
};

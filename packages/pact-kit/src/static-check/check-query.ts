// Query parameters: names, lists as repeated keys, values.
import { checkMatcher } from './check-matcher.ts';
import { suggestName } from './closest-name.ts';
import type { HttpRequest } from './http-interaction.ts';
import { findRule } from './matching-rules.ts';
import type { OpenApi, Operation, Parameter, Schema } from './openapi-document.ts';
import { resolveSchema } from './openapi-document.ts';
import type { Report } from './report.ts';
import { findValueProblem } from './validate-value.ts';

export type QueryContext = { document: OpenApi; mayBeInvalid: boolean; report: Report };

type QueryParameter = HttpRequest['query'][number];

export const checkQuery = (
  request: HttpRequest,
  operation: Operation,
  context: QueryContext,
): void => {
  const known = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
  for (const given of request.query) {
    const parameter = known.find(({ name }) => name === given.name);
    if (parameter) checkParameter(given, parameter, request, context);
    else reportUnknown(given, known, context.report);
  }
  if (context.mayBeInvalid) return;
  const sent = new Set(request.query.map(({ name }) => name));
  for (const { name } of known.filter(
    (parameter) => parameter.required && !sent.has(parameter.name),
  )) {
    const message = `The query parameter ${name} is required, and the consumer does not send it.`;
    context.report({ rule: 'missing-query-parameter', message, at: ['request'] });
  }
};

const reportUnknown = (
  { name, values }: QueryParameter,
  known: readonly Parameter[],
  report: Report,
): void => {
  const at = ['request', 'query', name];
  const bare = name.replace(/\[\d*\]$/, '');
  const names = known.map((parameter) => parameter.name);
  if (bare !== name && names.includes(bare)) {
    const [first = 'a'] = values;
    report({
      rule: 'bracketed-array',
      message: `The query parameter ${name} has brackets; the service reads lists as repeated keys.`,
      suggestion: `Write ${bare}=${first}&${bare}=…, once for each value.`,
      at,
    });
    return;
  }
  report({
    rule: 'unknown-query-parameter',
    message: `The query parameter ${name} is not in the contract.`,
    suggestion: suggestName(bare, names),
    at,
  });
};

const checkParameter = (
  { name, values }: QueryParameter,
  parameter: Parameter,
  request: HttpRequest,
  { document, mayBeInvalid, report }: QueryContext,
): void => {
  if (mayBeInvalid) return;
  const schema = resolveSchema(document, parameter.schema);
  const at = ['request', 'query', name];
  if (schema.type !== 'array' && values.length > 1) {
    const message = `The query parameter ${name} is given ${values.length} times, and the contract has one value.`;
    report({ rule: 'repeated-query-parameter', message, at });
    return;
  }
  const elements = schema.type === 'array' ? values.flatMap((value) => value.split(',')) : values;
  const problem =
    (schema.type === 'array' ? findValueProblem(elements, schema) : null) ??
    findElementProblem(elements, elementSchema(schema, document));
  if (problem) {
    const message = `The query parameter ${name} ${problem.reason}.`;
    report({ rule: `invalid-query-${problem.kind}`, message, suggestion: problem.suggestion, at });
    return;
  }
  for (const [index, value] of values.entries()) {
    const best = findRule(request.rules.query, [name, index]);
    for (const matcher of best?.rule.matchers ?? []) {
      const found = checkMatcher(matcher, {
        label: `query parameter ${name}`,
        at,
        example: coerce(value, { type: 'integer' }),
        schema: asText(elementSchema(schema, document)),
        direction: 'request',
      });
      if (found) report(found);
    }
  }
};

const elementSchema = (schema: Schema, document: OpenApi): Schema =>
  schema.type === 'array' ? resolveSchema(document, schema.items ?? {}) : schema;

const findElementProblem = (elements: readonly string[], schema: Schema) => {
  for (const element of elements) {
    const problem = findValueProblem(coerce(element, schema), schema);
    if (problem) return problem;
  }
  return null;
};

const coerce = (value: string, schema: Schema): unknown =>
  schema.type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value;

/** In a query everything is text, so that a matcher for numbers compares digits. */
const asText = ({ enum: values, type }: Schema): Schema => {
  if (values) return { type: 'string', enum: values.map(String) };
  return type === 'integer' ? { type } : {};
};

// The request of an interaction: path parameters, query, headers, body.

import { findBracketedList } from '@muster/contract';
import { show } from '../values.ts';
import { checkBody } from './check-body.ts';
import { ANY_VALUE, checkMatchers, STRANGER, testOf } from './check-matcher.ts';
import type { FoundOperation } from './find-operation.ts';
import { findGenerator, isPlaceholder, listSamples } from './generated-values.ts';
import type { HttpInteraction, HttpRequest } from './http-interaction.ts';
import type { Matcher } from './matching-rules.ts';
import { findRule } from './matching-rules.ts';
import type { OpenApi, Operation, Parameter, Schema } from './openapi-document.ts';
import { jsonContent, resolveSchema } from './openapi-document.ts';
import type { Report } from './report.ts';
import { suggestName } from './report.ts';
import { findValueProblem } from './validate-value.ts';

/** With these the service has read the whole request; with any other one it need not be valid. */
const READ_STATUSES = new Set([200, 204, 304, 404, 409]);

export const isRefusalExpected = ({ response }: HttpInteraction): boolean =>
  !READ_STATUSES.has(response.status);

export const checkRequest = (
  interaction: HttpInteraction,
  found: FoundOperation,
  document: OpenApi,
  report: Report,
): void => {
  const { request } = interaction;
  const context = { document, report, mayBeInvalid: isRefusalExpected(interaction) };
  if (!context.mayBeInvalid) checkPathValues(request, found, context);
  checkQuery(request, found.operation, context);
  checkHeaders(request, found, report);
  checkRequestBody(request, found, context);
};

type Context = {
  document: OpenApi;
  report: Report;
  /** The values are wrong on purpose, since a refusal is expected. */
  mayBeInvalid: boolean;
};

const checkPathValues = (
  request: HttpRequest,
  { operation, template, pathValues }: FoundOperation,
  { document, report }: Context,
): void => {
  const at = ['request', 'path'];
  for (const { name, schema } of operation.parameters?.filter((each) => each.in === 'path') ?? []) {
    const resolved = resolveSchema(document, schema);
    const problem = findValueProblem(coerce(pathValues[name] ?? '', resolved.type), resolved);
    if (problem) {
      const message = `The path parameter ${name} ${problem.reason}.`;
      report({ rule: `invalid-path-${problem.kind}`, message, suggestion: problem.suggestion, at });
    } else checkPathMatcher(request, template, name, resolved, report);
  }
  checkPathExample(request, report);
};

/** What a parameter or a header means where the contract has an integer. */
export const coerce = (value: string, type: unknown): unknown =>
  type === 'integer' && /^-?\d+$/.test(value) ? Number(value) : value;

const pathMatchers = ({ rules }: HttpRequest) => rules.path.flatMap(({ matchers }) => matchers);

const checkPathExample = (request: HttpRequest, report: Report): void => {
  const schema = { type: 'string' };
  const field = { label: 'request path', at: ['request', 'path'], example: request.path, schema };
  checkMatchers(pathMatchers(request), { ...field, direction: 'request' }, report);
};

/**
 * A path that the expression accepts with a stranger in place of a parameter is wider. Paths are often matched loosely
 * where an id stands, so that is a warning; a platform that does not exist is an error.
 */
const checkPathMatcher = (
  request: HttpRequest,
  template: string,
  name: string,
  schema: Schema,
  report: Report,
): void => {
  if (!findValueProblem(STRANGER, schema)) return;
  const values = schema.enum?.map(String);
  const position = template.split('/').indexOf(`{${name}}`);
  const segments = request.path.split('/');
  for (const matcher of pathMatchers(request)) {
    const accepts = testOf(matcher) ?? (() => ANY_VALUE.includes(matcher.match));
    const stranger = strangersOf(matcher, schema).find((word) =>
      accepts(segments.with(position, word).join('/')),
    );
    if (stranger === undefined) continue;
    report({
      rule: 'matcher-wider-than-schema',
      severity: values && matcher.match !== 'type' ? 'error' : 'warning',
      message: `The matcher of the request path accepts ${stranger === STRANGER ? 'any text' : show(stranger)} as ${name}, and the contract has only ${values?.join(', ') ?? `values of format ${schema.format ?? schema.pattern}`}.`,
      suggestion: `Write the ${name} of the example, or an expression that accepts nothing else.`,
      at: ['request', 'path'],
    });
  }
};

/** For an enumeration also the words that the expression itself lists. */
const strangersOf = (matcher: Matcher, schema: Schema): string[] => {
  const words = schema.enum ? (String(matcher.regex ?? '').match(/\w+/g) ?? []) : [];
  return [STRANGER, ...words.filter((word) => findValueProblem(word, schema) !== null)];
};

/** Headers of HTTP itself and of its usual companions; what they carry is not the contract's matter. */
const USUAL_HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'Cache-Control',
  'Connection',
  'Content-Length',
  'Content-Type',
  'Host',
  'Origin',
  'Referer',
  'User-Agent',
  'X-Request-Id',
  'traceparent',
  'tracestate',
];

const checkHeaders = (
  request: HttpRequest,
  { operation }: FoundOperation,
  report: Report,
): void => {
  const declared = operation.parameters?.filter((each) => each.in === 'header') ?? [];
  const known = [...declared.map(({ name }) => name), ...USUAL_HEADERS];
  const names = new Set(known.map((name) => name.toLowerCase()));
  for (const { name, values } of request.headers) {
    const at = ['request', 'headers', name];
    if (!names.has(name.toLowerCase())) {
      report({
        rule: 'unknown-request-header',
        message: `The request header ${name} is not in the contract.`,
        suggestion: suggestName(name, known),
        at,
      });
    } else if (name.toLowerCase() === 'content-type' && !values.every(isJson)) {
      const message = `The request header Content-Type is ${show(values.join(', '))}, and the contract has application/json.`;
      report({ rule: 'wrong-content-type', message, at });
    }
  }
};

export const isJson = (contentType: string): boolean =>
  /^application\/json\s*(;.*)?$/i.test(contentType);

const checkRequestBody = (
  request: HttpRequest,
  { operation, template }: FoundOperation,
  { document, report, mayBeInvalid }: Context,
): void => {
  const schema = jsonContent(operation.requestBody?.content)?.schema;
  const { body, bodyPath, rules, generators } = request;
  const isEmpty = body === undefined || body === null;
  if (!schema) {
    if (isEmpty) return;
    const message = `The contract has no request body for ${request.method} ${template}.`;
    report({ rule: 'unexpected-request-body', message, at: bodyPath });
    return;
  }
  if (isEmpty) {
    if (mayBeInvalid || !operation.requestBody?.required) return;
    const message = `The contract requires a request body for ${request.method} ${template}.`;
    report({ rule: 'missing-request-body', message, at: ['request'] });
    return;
  }
  checkBody(body, schema, {
    document,
    direction: 'request',
    rules: rules.body,
    generators: generators.body ?? [],
    bodyPath,
    mayBeInvalid,
    isGuaranteed: () => true,
    loose: new Map(),
    report,
  });
};

// Query parameters: names, lists as repeated keys, values.

type QueryParameter = HttpRequest['query'][number];

const checkQuery = (request: HttpRequest, operation: Operation, context: Context): void => {
  const known = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
  for (const given of request.query) {
    const parameter = known.find(({ name }) => name === given.name);
    if (!parameter) reportUnknown(given, known, context);
    else if (!context.mayBeInvalid) checkParameter(given, parameter, request, context);
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
  { document, report, mayBeInvalid }: Context,
): void => {
  const at = ['request', 'query', name];
  const isList = ({ schema }: Parameter) => resolveSchema(document, schema).type === 'array';
  const lists = known.filter(isList).map((parameter) => parameter.name);
  const list = findBracketedList(name, lists);
  if (list !== undefined) {
    if (mayBeInvalid) return;
    const [first = 'a'] = values;
    report({
      rule: 'bracketed-array',
      message: `The query parameter ${name} has brackets; the service reads lists as repeated keys.`,
      suggestion: `Write ${list}=${first}&${list}=…, once for each value.`,
      at,
    });
    return;
  }
  const [bare = name] = name.split('[', 1);
  report({
    rule: 'unknown-query-parameter',
    message: `The query parameter ${name} is not in the contract.`,
    suggestion: suggestName(
      bare,
      known.map((parameter) => parameter.name),
    ),
    at,
  });
};

const checkParameter = (
  { name, values: written }: QueryParameter,
  parameter: Parameter,
  request: HttpRequest,
  { document, report }: Context,
): void => {
  const schema = resolveSchema(document, parameter.schema);
  const at = ['request', 'query', name];
  if (schema.type !== 'array' && written.length > 1) {
    const message = `The query parameter ${name} is given ${written.length} times, and the contract has one value.`;
    report({ rule: 'repeated-query-parameter', message, at });
    return;
  }
  const values = written.flatMap((value, index) => generatedTexts(name, value, index, request));
  const elements = schema.type === 'array' ? values.flatMap((value) => value.split(',')) : values;
  const problem =
    (schema.type === 'array' ? findValueProblem(elements, schema) : null) ??
    findElementProblem(elements, elementSchema(schema, document));
  if (problem) {
    const message = `The query parameter ${name} ${problem.reason}.`;
    report({ rule: `invalid-query-${problem.kind}`, message, suggestion: problem.suggestion, at });
    return;
  }
  const field = {
    label: `query parameter ${name}`,
    at,
    schema: asText(elementSchema(schema, document)),
    direction: 'request' as const,
  };
  for (const [index, value] of values.entries()) {
    const matchers = findRule(request.rules.query, [name, index])?.rule.matchers ?? [];
    checkMatchers(matchers, { ...field, example: coerce(value, 'integer') }, report);
  }
};

/** The values that the verifier sends instead of the written one. Empty where they are not known. */
const generatedTexts = (
  name: string,
  value: string,
  index: number,
  { generators }: HttpRequest,
): string[] => {
  const generator =
    findGenerator(generators.query, [name, index]) ?? findGenerator(generators.query, [name]);
  if (!generator) return [value];
  return listSamples(generator)?.map(String) ?? (isPlaceholder(value) ? [] : [value]);
};

const elementSchema = (schema: Schema, document: OpenApi): Schema =>
  schema.type === 'array' ? resolveSchema(document, schema.items ?? {}) : schema;

const findElementProblem = (elements: readonly string[], schema: Schema) => {
  for (const element of elements) {
    const problem = findValueProblem(coerce(element, schema.type), schema);
    if (problem) return problem;
  }
  return null;
};

/** In a query everything is text, so that a matcher for numbers compares digits. */
const asText = ({ enum: values, type }: Schema): Schema => {
  if (values) return { type: 'string', enum: values.map(String) };
  return type === 'integer' ? { type } : {};
};

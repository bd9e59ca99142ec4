// The expected response: a declared status, headers, body.

import type { JsonPath } from '../pact-files/json-document.ts';
import { isRecord, show } from '../values.ts';
import { checkBody } from './check-body.ts';
import { checkMatchers } from './check-matcher.ts';
import { coerce, isJson } from './check-request.ts';
import type { FoundOperation } from './find-operation.ts';
import { findGenerator, isPlaceholder } from './generated-values.ts';
import type { HttpInteraction, HttpResponse } from './http-interaction.ts';
import { findRule } from './matching-rules.ts';
import type { OpenApi, ResponseObject, Schema } from './openapi-document.ts';
import { jsonContent, resolveSchema } from './openapi-document.ts';
import type { Report } from './report.ts';
import { suggestName } from './report.ts';
import { findValueProblem } from './validate-value.ts';

export const checkResponse = (
  { request, response }: HttpInteraction,
  { operation, template }: FoundOperation,
  document: OpenApi,
  isGuaranteed: (path: JsonPath) => boolean,
  report: Report,
): void => {
  const declared = operation.responses[String(response.status)];
  if (!declared) {
    report({
      rule: 'undeclared-status',
      message: `The contract has no status ${response.status} for ${request.method} ${template}.`,
      suggestion: `It has ${Object.keys(operation.responses).join(', ')}.`,
      at: ['response', 'status'],
    });
    return;
  }
  checkStatusMatcher(response, report);
  checkHeaders(response, declared, document, report);
  checkResponseBody(response, declared, document, isGuaranteed, report);
};

const STATUS_CLASSES: Record<string, (status: number) => boolean> = {
  info: (status) => status < 200,
  success: (status) => status >= 200 && status < 300,
  redirect: (status) => status >= 300 && status < 400,
  clientError: (status) => status >= 400 && status < 500,
  serverError: (status) => status >= 500,
  nonError: (status) => status < 400,
  error: (status) => status >= 400,
};

/** The verifier compares with the matcher alone, so an example that contradicts it would have no effect. */
const checkStatusMatcher = ({ rules, status: example }: HttpResponse, report: Report): void => {
  for (const { match, status } of rules.status.flatMap(({ matchers }) => matchers)) {
    if (match !== 'statusCode') continue;
    const isAccepted = Array.isArray(status)
      ? status.includes(example)
      : STATUS_CLASSES[String(status)]?.(example);
    if (isAccepted) continue;
    report({
      rule: 'example-against-matcher',
      message: `The matcher of the response status does not accept its own example ${example} (${show(status)}).`,
      at: ['response', 'status'],
    });
  }
};

/**
 * The service draws `Retry-After` anew for each refusal, so an exact value matches by chance. `given` is the value of the
 * state "a temporary refusal", where that one is in use.
 */
export const checkRetryAfter = (
  { headers, rules }: HttpResponse,
  given: number | undefined,
  report: Report,
): void => {
  const header = headers.find(({ name }) => name.toLowerCase() === 'retry-after');
  const [value] = header?.values ?? [];
  const matchers = findRule(rules.header, ['retry-after', 0])?.rule.matchers ?? [];
  const isExact = matchers.every(({ match }) => match === 'equality');
  if (!header || value === undefined || !isExact || value === String(given)) return;
  const sender =
    given === undefined
      ? 'the service chooses another number each time'
      : `the provider state sends ${given}`;
  report({
    rule: 'exact-retry-after',
    message: `The response header ${header.name} is exactly ${show(value)}, and ${sender}.`,
    suggestion: `${given === undefined ? 'Match' : `Give the state the retry_after ${value}, or match`} it with a regular expression, such as [1-9][0-9]*.`,
    at: ['response', 'headers', header.name],
  });
};

/** Headers that HTTP itself gives every answer with a body. */
const USUAL_HEADERS = ['Content-Type', 'Content-Length', 'Date'];

const checkHeaders = (
  response: HttpResponse,
  declared: ResponseObject,
  document: OpenApi,
  report: Report,
): void => {
  const headers = new Map(
    Object.entries(declared.headers ?? {}).map(([name, header]) => [name.toLowerCase(), header]),
  );
  const known = [...Object.keys(declared.headers ?? {}), ...USUAL_HEADERS];
  for (const { name, values } of response.headers) {
    const header = headers.get(name.toLowerCase());
    const at = ['response', 'headers', name];
    const isUsual = USUAL_HEADERS.some((usual) => usual.toLowerCase() === name.toLowerCase());
    if (header) {
      const schema = resolveSchema(document, header.schema ?? {});
      checkHeaderValues(name, values, response, schema, report);
    } else if (!isUsual) {
      const message = `The response header ${name} is not in the contract for status ${response.status}.`;
      const suggestion = suggestName(name, known);
      report({ rule: 'unknown-response-header', message, suggestion, at });
    } else checkContentType(name, values, response, report);
  }
};

const checkHeaderValues = (
  name: string,
  values: readonly string[],
  response: HttpResponse,
  schema: Schema,
  report: Report,
): void => {
  const at = ['response', 'headers', name];
  for (const [index, value] of values.entries()) {
    if (isGenerated(name, value, index, response)) continue;
    const example = coerce(value, schema.type);
    const problem = findValueProblem(example, schema);
    if (problem) {
      const message = `The response header ${name} ${problem.reason}.`;
      report({ rule: `invalid-response-header`, message, suggestion: problem.suggestion, at });
      return;
    }
    const best = findRule(response.rules.header, [name.toLowerCase(), index]);
    const field = { label: `response header ${name}`, at, example, schema: {} };
    checkMatchers(best?.rule.matchers ?? [], { ...field, direction: 'response' }, report);
  }
};

/** The value is for the consumer's own mock, and the matcher alone decides. */
const isGenerated = (
  name: string,
  value: string,
  index: number,
  { generators }: HttpResponse,
): boolean =>
  isPlaceholder(value) &&
  [[name.toLowerCase()], [name.toLowerCase(), index]].some((path) =>
    findGenerator(generators.header, path),
  );

const checkContentType = (
  name: string,
  values: readonly string[],
  response: HttpResponse,
  report: Report,
): void => {
  if (name.toLowerCase() !== 'content-type') return;
  const [value = ''] = values;
  if (isJson(value)) {
    checkHeaderValues(name, [value], response, {}, report);
    return;
  }
  const message = `The response header ${name} is ${show(value)}, and the contract has application/json.`;
  report({ rule: 'wrong-content-type', message, at: ['response', 'headers', name] });
};

const checkResponseBody = (
  { body, bodyPath, rules, generators, status }: HttpResponse,
  declared: ResponseObject,
  document: OpenApi,
  isGuaranteed: (path: JsonPath) => boolean,
  report: Report,
): void => {
  if (body === undefined) return;
  const content = jsonContent(declared.content);
  if (!content?.schema) {
    const message = `The contract has no body for status ${status}.`;
    report({ rule: 'unexpected-response-body', message, at: bodyPath });
    return;
  }
  checkBody(body, content.schema, {
    document,
    direction: 'response',
    rules: rules.body,
    generators: generators.body ?? [],
    bodyPath,
    mayBeInvalid: false,
    isGuaranteed,
    loose: new Map(),
    report,
  });
  const examples = Object.values(content.examples ?? {}).map(({ value }) => value);
  checkErrorCode(body, examples, status, [...bodyPath, 'error_code'], report);
};

/** The examples of a status name every error code that it can carry. */
const checkErrorCode = (
  body: unknown,
  examples: readonly unknown[],
  status: number,
  at: JsonPath,
  report: Report,
): void => {
  const code = isRecord(body) ? body.error_code : undefined;
  if (typeof code !== 'string') return;
  const known = examples.flatMap((example) =>
    isRecord(example) && typeof example.error_code === 'string' ? [example.error_code] : [],
  );
  if (known.length === 0 || known.includes(code)) return;
  report({
    rule: 'unknown-error-code',
    message: `The response body $.error_code is ${show(code)}, which the contract does not have for status ${status}.`,
    suggestion: suggestName(code, known),
    at,
  });
};

// Walks an expected or sent body along its schema: unknown and missing fields, values, matchers, reliance.

import type { JsonPath } from '../pact-files/json-document.ts';
import { isRecord } from '../values.ts';
import type { MatchedField } from './check-matcher.ts';
import { checkMatcher } from './check-matcher.ts';
import type { Generator } from './generated-values.ts';
import { findGenerator, isPlaceholder, listSamples } from './generated-values.ts';
import type { Matcher, Rule } from './matching-rules.ts';
import { findRule, MAP_MATCHERS, matchersOf, readRules, showPath } from './matching-rules.ts';
import type { OpenApi, Schema } from './openapi-document.ts';
import { resolveSchema } from './openapi-document.ts';
import type { Problem, Report } from './report.ts';
import { suggestName } from './report.ts';
import { findValueProblem } from './validate-value.ts';

type BodyContext = {
  document: OpenApi;
  direction: 'request' | 'response';
  rules: readonly Rule[];
  generators: readonly Generator[];
  /** The path of the body in the interaction. */
  bodyPath: JsonPath;
  /** The values are wrong on purpose, since a refusal is expected. */
  mayBeInvalid: boolean;
  /** Whether an optional field is certain to be present; `*` means every element of a list. */
  isGuaranteed: (path: JsonPath) => boolean;
  report: Report;
  /** By each rule, the fields below it whose enumeration it does not check. */
  loose: Map<Rule, string[]>;
};

type Spot = {
  /** Below the body, for rules and places. */
  path: JsonPath;
  /** The same with `*` where the element is a template for all. */
  relied: JsonPath;
};

export const checkBody = (value: unknown, schema: Schema, context: BodyContext): void => {
  walk(value, schema, { path: [], relied: [] }, context);
  for (const [rule, fields] of context.loose) reportLoose(rule, fields, context);
};

/** In a request, a matcher of the type above a field accepts any text where the contract has an enumeration. */
const noteLoose = (rule: Rule, schema: Schema, { path }: Spot, context: BodyContext): void => {
  const isType = rule.matchers.some(({ match }) => match === 'type');
  if (context.direction === 'response' || context.mayBeInvalid || !isType || !schema.enum) return;
  context.loose.set(rule, [...(context.loose.get(rule) ?? []), showPath(path)]);
};

/** One finding per cause, not one per field below it. */
const reportLoose = (rule: Rule, fields: readonly string[], context: BodyContext): void =>
  context.report({
    rule: 'matcher-wider-than-schema',
    severity: 'warning',
    message: `The matcher of request body ${showPath(rule.path)} accepts any value for ${[...new Set(fields)].join(', ')}, and the contract has a list of values for each.`,
    suggestion: 'Match these fields with an expression, or leave them without a matcher.',
    at: placeIn(context, rule.path.includes('*') ? [] : rule.path),
  });

const walk = (value: unknown, written: Schema, spot: Spot, context: BodyContext): void => {
  const generator = findGenerator(context.generators, spot.path);
  // In a request the generated value is sent, whatever the example is.
  if (generator && (context.direction === 'request' || isPlaceholder(value))) {
    walkGenerated(generator, value, written, spot, context);
  } else walkValue(value, written, spot, context);
};

/** A request must be valid with every value, a response with one: its values are for the consumer's own mock. */
const walkGenerated = (
  generator: Generator,
  example: unknown,
  schema: Schema,
  spot: Spot,
  context: BodyContext,
): void => {
  const samples = listSamples(generator);
  if (!samples) {
    if (!isPlaceholder(example)) walkValue(example, schema, spot, context);
    return;
  }
  const tried = samples.map((sample) => listProblems(sample, schema, spot, context));
  const wrong = tried.filter((problems) => problems.length > 0);
  if (context.direction === 'response' && wrong.length < tried.length) return;
  for (const problem of wrong[0] ?? []) context.report(problem);
};

const listProblems = (
  value: unknown,
  schema: Schema,
  spot: Spot,
  context: BodyContext,
): Problem[] => {
  const problems: Problem[] = [];
  walkValue(value, schema, spot, { ...context, report: (problem) => problems.push(problem) });
  return problems;
};

const walkValue = (value: unknown, written: Schema, spot: Spot, context: BodyContext): void => {
  const schema = resolveSchema(context.document, written);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    walkChoices(value, choices, spot, context);
    return;
  }
  const found = findRule(context.rules, spot.path);
  const matchers = found?.rule.matchers ?? [];
  if (found?.inherited) noteLoose(found.rule, schema, spot, context);
  const contradiction = found?.inherited
    ? null
    : reportMatchers(matchers, value, schema, spot, context);
  if (contradiction) return;
  if (reportValue(value, schema, spot, context)) return;
  if (Array.isArray(value)) walkArray(value, schema, spot, matchers, context);
  else if (isRecord(value)) walkObject(value, schema, spot, matchers, context);
};

const label = ({ direction }: BodyContext, { path }: Spot): string =>
  `${direction} body ${showPath(path)}`;

const placeIn = (context: BodyContext, path: JsonPath): JsonPath => [...context.bodyPath, ...path];

/** Takes the choice with the fewest problems and reports those of it only. */
const walkChoices = (
  value: unknown,
  choices: readonly Schema[],
  spot: Spot,
  context: BodyContext,
): void => {
  const tried = choices.map((choice) => listProblems(value, choice, spot, context));
  const [best] = tried.sort((a, b) => a.length - b.length);
  for (const problem of best ?? []) context.report(problem);
};

const reportMatchers = (
  matchers: readonly Matcher[],
  example: unknown,
  schema: Schema,
  spot: Spot,
  context: BodyContext,
): boolean => {
  if (context.mayBeInvalid) return false;
  const { direction } = context;
  const field: MatchedField = {
    label: label(context, spot),
    at: placeIn(context, spot.path),
    example,
    schema,
    direction,
  };
  const all = matchers.flatMap((matcher) => [
    { matcher, field },
    ...listInnerMatchers(matcher, field, context.document),
  ]);
  const problems = all.flatMap((one) => checkMatcher(one.matcher, one.field) ?? []);
  for (const problem of problems) context.report(problem);
  return problems.some(({ severity }) => severity !== 'warning');
};

const reportValue = (value: unknown, schema: Schema, spot: Spot, context: BodyContext): boolean => {
  if (context.mayBeInvalid) return false;
  const problem = findValueProblem(value, schema);
  if (!problem) return false;
  context.report({
    rule: `invalid-${context.direction}-${problem.kind}`,
    message: `The ${label(context, spot)} ${problem.reason}.`,
    suggestion: problem.suggestion,
    at: placeIn(context, spot.path),
  });
  return true;
};

const walkObject = (
  value: Record<string, unknown>,
  schema: Schema,
  spot: Spot,
  matchers: readonly Matcher[],
  context: BodyContext,
): void => {
  const namesCount = !matchers.some(({ match }) => MAP_MATCHERS.has(match));
  for (const [name, inner] of Object.entries(value)) {
    const below = {
      path: [...spot.path, name],
      relied: [...spot.relied, namesCount ? name : '*'],
    };
    const property = findProperty(schema, name);
    if (!property) reportUnknown(name, schema, below, context);
    else {
      const relied = namesCount && reportReliance(name, schema, below, context);
      // What is inside a field that may be absent is absent with it: one finding is enough.
      walk(inner, property, below, relied ? { ...context, isGuaranteed: () => true } : context);
    }
  }
  reportMissing(value, schema, spot, context);
};

const findProperty = (schema: Schema, name: string): Schema | null => {
  const { properties, additionalProperties } = schema;
  // A name of the consumer, such as "constructor", may also be a member of every object.
  if (properties && Object.hasOwn(properties, name)) return properties[name] ?? null;
  if (typeof additionalProperties === 'object') return additionalProperties;
  const isOpen = additionalProperties === true || !properties;
  return isOpen ? {} : null;
};

const reportUnknown = (name: string, schema: Schema, spot: Spot, context: BodyContext): void => {
  if (context.mayBeInvalid) return;
  const { direction } = context;
  context.report({
    rule: `unknown-${direction}-field`,
    message: `The ${label(context, spot)} is not in the contract.`,
    suggestion: suggestName(name, Object.keys(schema.properties ?? {})),
    at: placeIn(context, spot.path),
  });
};

const reportReliance = (
  name: string,
  schema: Schema,
  spot: Spot,
  context: BodyContext,
): boolean => {
  if (context.direction === 'request' || schema.required?.includes(name)) return false;
  if (context.isGuaranteed(spot.relied)) return false;
  context.report({
    rule: 'relies-on-optional-field',
    message: `The ${label(context, spot)} is optional, and no provider state in use guarantees it.`,
    suggestion:
      'Leave it out, or use a provider state or a parameter that guarantees it (muster-pact states).',
    at: placeIn(context, spot.path),
  });
  return true;
};

const reportMissing = (
  value: Record<string, unknown>,
  schema: Schema,
  spot: Spot,
  context: BodyContext,
): void => {
  if (context.direction === 'response' || context.mayBeInvalid) return;
  for (const name of schema.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    context.report({
      rule: 'missing-request-field',
      message: `The ${label(context, { ...spot, path: [...spot.path, name] })} is required, and the consumer does not send it.`,
      at: placeIn(context, spot.path),
    });
  }
};

/** Under these matchers the first elements are examples of all elements. */
const TEMPLATE_MATCHERS = new Set(['type', 'min', 'max', 'minType', 'maxType', 'eachValue']);

const walkArray = (
  value: readonly unknown[],
  schema: Schema,
  spot: Spot,
  matchers: readonly Matcher[],
  context: BodyContext,
): void => {
  const items = schema.items ?? {};
  const contains = matchers.find(({ match }) => match === 'arrayContains');
  if (contains) {
    walkVariants(value, items, spot, contains, context);
    return;
  }
  const isTemplate = matchers.some(({ match }) => TEMPLATE_MATCHERS.has(match));
  for (const [index, element] of value.entries()) {
    const relied = [...spot.relied, isTemplate ? '*' : index];
    walk(element, items, { path: [...spot.path, index], relied }, context);
  }
};

/** Each variant carries rules of its own, whose root is the element. */
const walkVariants = (
  value: readonly unknown[],
  items: Schema,
  spot: Spot,
  { variants }: Matcher,
  context: BodyContext,
): void => {
  for (const variant of Array.isArray(variants) ? variants : []) {
    if (!isRecord(variant)) continue;
    const index = Number(variant.index ?? 0);
    const path = [...spot.path, index];
    const { body } = readRules({ body: variant.rules });
    const rules = body.map((rule) => ({ ...rule, path: [...path, ...rule.path] }));
    walk(value[index], items, { path, relied: [...spot.relied, '*'] }, { ...context, rules });
  }
};

// eachKey and eachValue: their rules apply to every key or value, which have a schema of their own.

type InnerMatcher = { matcher: Matcher; field: MatchedField };

/** The inner rules, each with the field that it is about; none for a matcher of another kind. */
const listInnerMatchers = (
  matcher: Matcher,
  field: MatchedField,
  document: OpenApi,
): InnerMatcher[] => {
  const kind = matcher.match;
  if (kind !== 'eachKey' && kind !== 'eachValue') return [];
  const rules = matchersOf({ matchers: matcher.rules });
  const label = `${kind === 'eachKey' ? 'each key' : 'each value'} of ${field.label}`;
  const { additionalProperties, items } = field.schema;
  const value = items ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
  const schema = kind === 'eachKey' ? { type: 'string' } : resolveSchema(document, value);
  return partsOf(field.example, kind).flatMap((example) =>
    rules.map((rule) => ({ matcher: rule, field: { ...field, label, schema, example } })),
  );
};

/** Takes one part of the example, which represents all of them. */
const partsOf = (example: unknown, kind: 'eachKey' | 'eachValue'): unknown[] => {
  if (Array.isArray(example)) return kind === 'eachValue' ? example.slice(0, 1) : [];
  if (!isRecord(example)) return [];
  const parts = kind === 'eachKey' ? Object.keys(example) : Object.values(example);
  return parts.slice(0, 1);
};

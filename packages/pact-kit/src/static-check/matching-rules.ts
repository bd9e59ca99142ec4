// The matching rules of a request or response, in one shape for every version of the specification.

import type { JsonPath } from '../pact-files/json-document.ts';
import { isRecord } from '../values.ts';

/** `written` is `match` as the pact spells it; `isChoice`: one of several, of which any may accept the value. */
export type Matcher = { match: string; written: string; isChoice?: boolean } & Record<
  string,
  unknown
>;

export type Rule = {
  /** Below the root of its category; empty for the root. */
  path: JsonPath;
  matchers: readonly Matcher[];
};

/** With these matchers the names of a map are examples of any name. */
export const MAP_MATCHERS: ReadonlySet<string> = new Set(['values', 'eachKey', 'eachValue']);

export type RuleCategory = 'path' | 'query' | 'header' | 'body' | 'status';
export type RuleSet = Readonly<Record<RuleCategory, readonly Rule[]>>;

export const CATEGORIES: readonly RuleCategory[] = ['path', 'query', 'header', 'body', 'status'];

export const readRules = (written: unknown): RuleSet => {
  const rules: Record<RuleCategory, Rule[]> = {
    path: [],
    query: [],
    header: [],
    body: [],
    status: [],
  };
  if (!isRecord(written)) return rules;
  for (const [key, value] of Object.entries(written)) {
    const category = findCategory(key);
    if (category) rules[category].push(...readCategory(category, value));
    else if (key.startsWith('$')) addFlatRule(rules, key, value);
  }
  return rules;
};

/** Whether a path that was written with `*` is this one. */
export const isSamePath = (written: JsonPath, path: JsonPath): boolean =>
  written.length === path.length &&
  written.every((step, index) => step === '*' || step === path[index]);

/** The verifier takes the plural of headers too. */
export const findCategory = (written: unknown): RuleCategory | undefined =>
  CATEGORIES.find((name) => name === (written === 'headers' ? 'header' : written));

/** Versions 3 and 4: rules by category, each with a list of matchers. */
const readCategory = (category: RuleCategory, value: unknown): Rule[] => {
  if (!isRecord(value)) return [];
  if (Array.isArray(value.matchers)) return [{ path: [], matchers: matchersOf(value) }];
  return Object.entries(value).map(([key, entry]) => ({
    path: readKey(category, key),
    matchers: matchersOf(entry),
  }));
};

/** Names of headers and parameters are written plainly, with `$.` or with an index, depending on the pact's author. */
export const readKey = (category: RuleCategory, key: string): JsonPath => {
  const path = parseRulePath(key) ?? [key];
  if (category !== 'header') return path;
  return path.map((step, index) => (index === 0 ? String(step).toLowerCase() : step));
};

/** Versions 1 and 2: one flat map, `$.body.a`, `$.header.X`, `$.query.q`, `$.path`. */
const addFlatRule = (rules: Record<RuleCategory, Rule[]>, key: string, value: unknown): void => {
  const [first, ...path] = parseRulePath(key) ?? [];
  const category = findCategory(first);
  if (!category) return;
  const steps = category === 'header' ? path.map((step) => String(step).toLowerCase()) : path;
  rules[category].push({ path: steps, matchers: matchersOf({ matchers: [value] }) });
};

export const matchersOf = (entry: unknown): Matcher[] => {
  if (!isRecord(entry) || !Array.isArray(entry.matchers)) return [];
  const isChoice = entry.combine === 'OR' && entry.matchers.length > 1;
  return entry.matchers.flatMap((matcher: unknown) => {
    if (!isRecord(matcher)) return [];
    const written = kindOf(matcher);
    const match = SPELLINGS.get(written) ?? written;
    return [{ ...matcher, match, written, ...(isChoice && { isChoice }) }];
  });
};

/** Libraries of version 4 write these kinds in another way. */
const SPELLINGS = new Map([
  ['each-key', 'eachKey'],
  ['each-value', 'eachValue'],
  ['array-contains', 'arrayContains'],
  ['not-empty', 'notEmpty'],
  ['content-type', 'contentType'],
  ['status-code', 'statusCode'],
]);

/** Old pacts leave `match` out where another key tells the kind. */
const kindOf = (matcher: Record<string, unknown>): string => {
  if (typeof matcher.match === 'string') return matcher.match;
  const named = ['regex', 'date', 'time', 'timestamp'].find((key) => key in matcher);
  return named ?? ('min' in matcher || 'max' in matcher ? 'type' : 'equality');
};

/** The rule that the verifier applies to a value, and whether it stands above the value and is handed down; null for plain equality. */
export const findRule = (rules: readonly Rule[], path: JsonPath) => {
  let best: Rule | null = null;
  let bestWeight = 0;
  for (const rule of rules) {
    const weight = weighRulePath(rule.path, path);
    if (weight > bestWeight) {
      best = rule;
      bestWeight = weight;
    }
  }
  return best && { rule: best, inherited: isHandedDown(best.path, path) };
};

/** A rule that ends in `*` speaks of no field in particular, as old libraries write for every field of an element. */
const isHandedDown = (rule: JsonPath, path: JsonPath): boolean =>
  rule.length < path.length || (rule.at(-1) === '*' && typeof path.at(-1) === 'string');

// The paths of matching rules: $.teams[*].players[0]['a b'], in the dialect that pacts use.

const TOKEN = /\.([^.[\]]+)|\[(\d+|\*)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** The steps below the root; `*` matches any. Null when the path is invalid. */
export const parseRulePath = (path: string): JsonPath | null => {
  const rest = path.startsWith('$') ? path.slice(1) : `.${path}`;
  const steps: (string | number)[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < rest.length) {
    const match = TOKEN.exec(rest);
    if (!match) return null;
    const [, name, index, single, double] = match;
    if (index !== undefined) steps.push(index === '*' ? '*' : Number(index));
    else steps.push(name ?? single ?? double ?? '');
  }
  return steps;
};

/**
 * How well a rule fits a value: the verifier gives a named step twice the weight of `*` and prefers longer paths. A
 * rule also fits everything below it. Zero: it does not fit.
 */
const weighRulePath = (rule: JsonPath, path: JsonPath): number => {
  if (rule.length > path.length) return 0;
  let weight = 2;
  for (const [index, step] of rule.entries()) {
    if (step === path[index]) weight *= 2;
    else if (step !== '*') return 0;
  }
  return weight * (rule.length + 1);
};

export const showPath = (path: JsonPath): string =>
  path
    .map((step) =>
      typeof step === 'number' || step === '*'
        ? `[${step}]`
        : /^[\w-]+$/.test(step)
          ? `.${step}`
          : `[${JSON.stringify(step)}]`,
    )
    .join('')
    .replace(/^/, '$');

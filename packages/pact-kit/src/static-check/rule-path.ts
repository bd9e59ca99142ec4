// The paths that matching rules stand under: $.teams[*].players[0]['a b'], in the dialect that pacts use.
import type { JsonPath } from '../pact-files/index.ts';

const TOKEN = /\.([^.[\]]+)|\[(\d+|\*)\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]/y;

/** The steps below the root; `*` stands for any. Null when the path is none. */
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
export const weighRulePath = (rule: JsonPath, path: JsonPath): number => {
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

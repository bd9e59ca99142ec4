// Collects the problems of all parts of a request into one list, each place once.
import type { ProblemSource, ValidationProblem } from '@muster/contract';
import { describeIssues } from '@muster/contract';
import type { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';
import type { RouteMatch } from './contract-routes.ts';
import { decodePercent } from './percent-decoding.ts';

/** A request whose parameters or body are not what the contract says. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  readonly problems: ValidationProblem[];

  constructor(problems: ValidationProblem[]) {
    super('The request is not valid.');
    this.problems = problems;
  }
}

/** The first problem as a sentence, for answers without a list of them. */
export const toInputError = ([problem]: readonly ValidationProblem[]): ServiceError | undefined =>
  problem &&
  new ServiceError('input_invalid', { desc: `${problem.loc.join('.')}: ${problem.msg}.` });

type RequestParts = { query: unknown; headers: unknown; body: unknown };

/** Validates all parts by the contract. A body that is undefined could not be read and is left out. */
export const findContractProblems = (
  { route, rawParams }: RouteMatch,
  { query, headers, body }: RequestParts,
): ValidationProblem[] => [
  ...findIssues('path', route.pathParams, decodeParams(rawParams)),
  ...findIssues('query', route.query, query),
  ...findIssues('header', route.headers, headers),
  ...('body' in route && body !== undefined ? findIssues('body', route.body, body) : []),
];

const findIssues = (
  source: ProblemSource,
  schema: z.ZodType,
  input: unknown,
): ValidationProblem[] => {
  const result = schema.safeParse(input);
  return result.success ? [] : describeIssues(source, result.error.issues, input);
};

const decodeParams = (rawParams: Record<string, string>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(rawParams).map(([name, raw]) => [name, decodePercent(raw)]));

const ORDER: ProblemSource[] = ['path', 'query', 'header', 'body'];

/**
 * Problems in the order path, query, header, body. What is unreadable (`early`) hides what validation
 * says about the same parameter or the same part.
 */
export const mergeProblems = (
  early: ValidationProblem[],
  late: ValidationProblem[],
): ValidationProblem[] => {
  const hidden = new Set(early.map(({ loc }) => placeOf(loc)));
  const visible = late.filter(({ loc }) => !hidden.has(placeOf(loc)));
  const unique = new Map([...early, ...visible].map((p) => [JSON.stringify([p.loc, p.type]), p]));
  return [...unique.values()].sort((a, b) => rank(a) - rank(b));
};

/** The part and the parameter: an index below it is the same parameter. */
const placeOf = (loc: ValidationProblem['loc']): string => JSON.stringify(loc.slice(0, 2));
const rank = ({ loc }: ValidationProblem): number => ORDER.indexOf(loc[0] as ProblemSource);

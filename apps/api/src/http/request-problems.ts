// Collects the problems of all parts of a request into one list, each place once.
import type { ProblemSource, ValidationProblem } from '@muster/contract';
import { describeIssues } from '@muster/contract';
import { z } from 'zod';
import type { ContractRoute } from './contract-routes.ts';

/** A request whose parameters or body are not what the contract says. */
export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  readonly problems: ValidationProblem[];

  constructor(problems: ValidationProblem[]) {
    super('The request is not valid.');
    this.problems = problems;
  }
}

export type RequestParts = Partial<Record<ProblemSource, unknown>>;

/** Validates the readable parts by the contract. A part that is undefined could not be read and is left out. */
export const findContractProblems = (
  route: ContractRoute,
  parts: RequestParts,
): ValidationProblem[] => {
  const schemas: Record<ProblemSource, z.ZodType | undefined> = {
    path: route.pathParams,
    query: route.query,
    header: route.headers,
    body: 'body' in route ? route.body : undefined,
  };
  return (Object.keys(schemas) as ProblemSource[]).flatMap((source) => {
    if (parts[source] === undefined) return [];
    const result = schemas[source]?.safeParse(parts[source]);
    return result?.error ? describeIssues(source, result.error.issues, parts[source]) : [];
  });
};

/** The problems that validation found, when it is one of ours; a validator of another kind is a mistake here. */
export const describeFailure = (
  source: ProblemSource,
  error: unknown,
  input: unknown,
): ValidationProblem[] =>
  error instanceof z.core.$ZodError ? describeIssues(source, error.issues, input) : [];

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

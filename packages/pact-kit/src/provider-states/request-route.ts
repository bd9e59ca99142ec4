// Which operation a request's path names, and its path parameters: states take their defaults from there.
import { contract } from '@muster/contract';
import type { OperationName } from './state-definition.ts';

export type RequestRoute = { operation: OperationName; parameters: Record<string, string> };

const OPERATIONS = Object.keys(contract) as OperationName[];

/** Reads the path by the contract's routes, whatever the method; null when no route has its shape. */
export const readRoute = (path: string): RequestRoute | null => {
  for (const operation of OPERATIONS) {
    const parameters = matchPath(contract[operation].path, path);
    if (parameters) return { operation, parameters };
  }
  return null;
};

const matchPath = (pattern: string, path: string): Record<string, string> | null => {
  const expected = segmentsOf(pattern);
  const given = segmentsOf(path);
  if (expected.length !== given.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, segment] of expected.entries()) {
    const value = given[index] ?? '';
    if (segment.startsWith(':')) parameters[segment.slice(1)] = decodeSegment(value);
    else if (segment !== value) return null;
  }
  return parameters;
};

/** Both spellings of a path answer, with and without its last slash. */
const segmentsOf = (path: string): string[] => path.replace(/^\/|\/$/g, '').split('/');

const decodeSegment = (segment: string): string => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

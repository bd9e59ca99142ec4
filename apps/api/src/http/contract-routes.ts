// Finds the route of the contract that a raw path belongs to, by the contract's own patterns.
import { contract } from '@muster/contract';

export type RouteName = keyof typeof contract;
export type ContractRoute = (typeof contract)[RouteName];
export type RouteMatch = {
  name: RouteName;
  route: ContractRoute;
  /** Path parameters as they stand in the path, still percent-encoded. */
  rawParams: Record<string, string>;
};

type Pattern = { name: RouteName; route: ContractRoute; segments: string[] };

/** A trailing slash is no segment: every route answers with and without it. */
const toSegments = (path: string): string[] => path.replace(/\/$/, '').split('/');

const PATTERNS: Pattern[] = (Object.keys(contract) as RouteName[]).map((name) => ({
  name,
  route: contract[name],
  segments: toSegments(contract[name].path),
}));

/** The route whose literal segments equal those of the path and whose parameters are not empty, or null. */
export const findContractRoute = (path: string): RouteMatch | null => {
  const segments = toSegments(path);
  for (const pattern of PATTERNS) {
    const rawParams = matchSegments(pattern.segments, segments);
    if (rawParams) return { name: pattern.name, route: pattern.route, rawParams };
  }
  return null;
};

const matchSegments = (pattern: string[], segments: string[]): Record<string, string> | null => {
  if (pattern.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    const actual = segments[index] ?? '';
    if (expected.startsWith(':') && actual !== '') params[expected.slice(1)] = actual;
    else if (expected !== actual) return null;
  }
  return params;
};

// Sorts a request by its path alone, before anything costly is known about it.

/**
 * Joins and histories are what players and their services send, and what comes in floods. Probes are never turned away: a
 * service that is busy is alive. All else is what people and machines administer with.
 */
export type RequestKind = 'join' | 'history' | 'probe' | 'other';

const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/** `target` begins with a slash. */
export const kindOfRequest = (target: string): RequestKind => {
  if (target.startsWith('/session/')) return 'join';
  if (target.startsWith('/v1/history/')) return 'history';
  return PROBES.has(target) ? 'probe' : 'other';
};

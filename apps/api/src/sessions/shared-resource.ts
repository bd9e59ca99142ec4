// The resource that all who joined a session in one round are answered with: made once, since it holds every seat, and there
// may be as many answers as seats.
import type { Session } from '@muster/contract';
import { toSessionResource } from './session-resource.ts';
import type { SessionState } from './session-state.ts';

/** Held weakly: a resource may be large, and its state may be remembered for longer. */
const shared = new WeakMap<SessionState, WeakRef<Session> | null>();

/** To be called before several are answered with this state. */
export const expectSharing = (session: SessionState): void => {
  shared.set(session, null);
};

/** Frozen when others are answered with the same one. */
export const toAnswer = (session: SessionState): Session => {
  const known = shared.get(session);
  if (known === undefined) return toSessionResource(session);
  const resource = known?.deref() ?? Object.freeze(toSessionResource(session));
  shared.set(session, new WeakRef(resource));
  return resource;
};

import type { Absences, SessionEvent, SessionState } from './session-state.ts';

/** The session after a change and what happened to it, in order. */
export type ChangeResult = {
  session: SessionState;
  events: SessionEvent[];
  /** Marks that the change rests on: it is written only while they stand as they were read. */
  stillAbsent?: Absences;
};

export const changed = (session: SessionState, ...events: SessionEvent[]): ChangeResult => ({
  session,
  events,
});

import { useState } from 'react';
import type { Team } from '../live-session.ts';
import type { Arrival } from './find-arrivals.ts';
import { findArrivals, readPresence } from './find-arrivals.ts';

/** What is kept to be announced and highlighted: enough for a full team at once. */
const MOST_KEPT = 100;

/** Those who have come since the page was opened, the newest last. */
export const useArrivals = (teams: readonly Team[]): readonly Arrival[] => {
  const [state, setState] = useState(() => ({
    teams,
    presence: readPresence(teams),
    arrivals: [] as readonly Arrival[],
  }));
  if (state.teams === teams) return state.arrivals;
  const found = findArrivals(state.presence, teams);
  const arrivals =
    found.length > 0 ? [...state.arrivals, ...found].slice(-MOST_KEPT) : state.arrivals;
  setState({ teams, presence: readPresence(teams), arrivals });
  return arrivals;
};

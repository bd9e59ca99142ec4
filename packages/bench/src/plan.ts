// How much is measured: the full run of about ten minutes, and the quick one that shows that all works.

export type Plan = {
  mode: 'full' | 'quick';
  rounds: number;
  connections: number;
  /** Sessions that the players of all rounds join. */
  sessions: number;
  /** Upper bound of the joins of one round: as many requests are prepared. */
  joinsPerRound: number;
  roundSeconds: number;
  /** Sessions that one player after the other joins, each of them once per round. */
  aloneSessions: number;
  hot: { players: number; seats: number; storms: number };
  memoryJoins: number;
  starts: number;
  /** Rounds of the highest rate and of ten times that rate, on many connections: short ones, since a machine has better and worse minutes. */
  overload: {
    rounds: number;
    seconds: number;
    connections: number;
    sessions: number;
    joins: number;
  };
  history: {
    /** Versions per size; each size has a hundred versions per record. */
    sizes: { small: number; large: number };
    pageSeconds: number;
  };
  /** Records of the lists that a browser opens, and how often it opens each; the first openings only fill its caches. */
  web: { records: number; warmUps: number; rounds: number };
};

export const FULL: Plan = {
  mode: 'full',
  rounds: 5,
  connections: 64,
  sessions: 20_000,
  joinsPerRound: 20_000,
  roundSeconds: 4,
  aloneSessions: 500,
  hot: { players: 5_000, seats: 100, storms: 4 },
  memoryJoins: 200_000,
  starts: 5,
  overload: { rounds: 12, seconds: 4, connections: 4_000, sessions: 20_000, joins: 48_000 },
  history: { sizes: { small: 10_000, large: 10_000_000 }, pageSeconds: 1.5 },
  web: { records: 500, warmUps: 2, rounds: 15 },
};

export const QUICK: Plan = {
  mode: 'quick',
  rounds: 2,
  connections: 64,
  sessions: 500,
  joinsPerRound: 8_000,
  roundSeconds: 1,
  aloneSessions: 50,
  hot: { players: 500, seats: 100, storms: 2 },
  memoryJoins: 4_000,
  starts: 2,
  overload: { rounds: 1, seconds: 3, connections: 2_000, sessions: 500, joins: 10_000 },
  history: { sizes: { small: 10_000, large: 100_000 }, pageSeconds: 0.3 },
  web: { records: 100, warmUps: 1, rounds: 2 },
};

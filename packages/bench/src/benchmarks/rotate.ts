/** The same, beginning with another one in each round: who goes first has the quietest machine. */
export const rotate = <Each>(all: readonly Each[], round: number): Each[] => [
  ...all.slice(round % all.length),
  ...all.slice(0, round % all.length),
];

// Groups the problems of an imported file, so that any number of them can be shown.
import type { FileProblem } from './file-rows.ts';

/** The others are one group. */
const MAX_GROUPS = 100;
const MAX_GROUP_ROWS = 10;

/** Problems of the same kind in the same column. */
export type ProblemGroup = {
  column?: string;
  /** Of the first one. */
  msg: string;
  count: number;
  /** The first ten. */
  rows: number[];
};

export const createProblemGroups = () => {
  const groups = new Map<string, ProblemGroup>();
  const find = ({ column, msg }: FileProblem): ProblemGroup => {
    // Numbers and ids differ between rows that have the same problem.
    const kind = msg.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+/g, '#');
    const isFull = groups.size >= MAX_GROUPS;
    const own = `${column ?? ''}\n${kind}`;
    const key = isFull && !groups.has(own) ? 'others' : own;
    const first = key === own ? { column, msg } : { column: undefined, msg: 'Other problems' };
    const known = groups.get(key);
    if (known) return known;
    const group: ProblemGroup = {
      ...(first.column !== undefined && { column: first.column }),
      msg: first.msg,
      count: 0,
      rows: [],
    };
    groups.set(key, group);
    return group;
  };
  return {
    add(problem: FileProblem): void {
      const group = find(problem);
      group.count += 1;
      if (group.rows.length < MAX_GROUP_ROWS) group.rows.push(problem.row);
    },
    /** The most frequent first; their counts add up to the number of problems. */
    list: () => [...groups.values()].toSorted((a, b) => b.count - a.count),
  };
};

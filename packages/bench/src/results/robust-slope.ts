// The slope of a line through noisy points that a few outliers do not move.
import { median } from './statistics.ts';

export type Point = { x: number; y: number };

/** The median of the slopes of all pairs of points (Theil 1950, Sen 1968), in units of y per unit of x; null for less than two. */
export const findRobustSlope = (points: readonly Point[]): number | null => {
  const slopes = points.flatMap((from, index) =>
    points
      .slice(index + 1)
      .flatMap((to) => (to.x === from.x ? [] : [(to.y - from.y) / (to.x - from.x)])),
  );
  return slopes.length === 0 ? null : median(slopes);
};

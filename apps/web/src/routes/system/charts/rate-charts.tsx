import { SimpleGrid } from '@mantine/core';
import { useMemo } from 'react';
import type { Point } from './chart-data.ts';
import { readOutcomes, readRates, readTimes } from './chart-data.ts';
import { ChartFigure } from './chart-figure.tsx';

export const RateCharts = ({ points }: { points: readonly Point[] }) => {
  const charts = useMemo(
    () => [
      { title: 'Requests and joins', data: readRates(points) },
      { title: 'Time to answer', data: readTimes(points) },
      { title: 'Outcomes of joins', data: readOutcomes(points) },
    ],
    [points],
  );
  return (
    <SimpleGrid cols={{ base: 1, lg: 3 }} spacing="sm">
      {charts.map(({ title, data }) => (
        <ChartFigure key={title} title={title} data={data} />
      ))}
    </SimpleGrid>
  );
};

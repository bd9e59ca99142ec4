import { Box, Flex, SimpleGrid, Title } from '@mantine/core';
import { lazy, Suspense, useMemo } from 'react';
import { TimeText } from '../../ui/time.tsx';
import type { ChartData, Point } from './chart-data.ts';
import {
  readBacklog,
  readOutcomes,
  readPlayers,
  readRates,
  readTimes,
  summarize,
  tabulate,
} from './chart-data.ts';
import classes from './charts.module.css';
import { PlainTable } from './plain-table.tsx';

type RateChartsProps = { points: readonly Point[]; intervalSeconds: number };

export const RateCharts = ({ points, intervalSeconds }: RateChartsProps) => {
  const charts = useMemo(
    () => [
      { title: 'Requests and joins', data: readRates(points) },
      { title: 'Response time', data: readTimes(points) },
      { title: 'Join outcomes', data: readOutcomes(points, intervalSeconds) },
      { title: 'Sessions and players', data: readPlayers(points) },
      { title: 'Webhook backlog', data: readBacklog(points) },
    ],
    [points, intervalSeconds],
  );
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
      {charts.map(({ title, data }) => (
        <ChartFigure key={title} title={title} data={data} />
      ))}
    </SimpleGrid>
  );
};

const Plot = lazy(() => import('./plot.tsx').then((m) => ({ default: m.Plot })));

/** A chart with a summary in words, and its numbers as a table for screen readers. */
const ChartFigure = ({ title, data }: { title: string; data: ChartData }) => (
  <figure className={classes.figure} aria-label={title}>
    <Title order={2}>{title}</Title>
    <p className="hint">{data.unit}</p>
    <Flex
      component="ul"
      className="plain"
      wrap="wrap"
      gap="2px 14px"
      mih={20}
      my={8}
      fz="0.8125rem"
    >
      {data.lines.map(({ label, colour, dash }) => (
        <Flex component="li" key={label} display="inline-flex" align="center" gap={6}>
          <svg width="22" height="8" aria-hidden="true">
            <line
              x1="0"
              x2="22"
              y1="4"
              y2="4"
              stroke={`var(${colour})`}
              strokeWidth="2"
              strokeDasharray={dash?.join(' ')}
            />
          </svg>
          {label}
        </Flex>
      ))}
    </Flex>
    <div style={{ height: 220 }} aria-hidden>
      <Suspense>
        <Plot data={data} />
      </Suspense>
    </div>
    <Box component="figcaption" className="numbers" my={4} c="dimmed" fz="0.8125rem">
      {summarize(data)}
    </Box>
    {data.lines.length > 0 && <Numbers title={title} data={data} />}
  </figure>
);

const Numbers = ({ title, data }: { title: string; data: ChartData }) => (
  <details className={classes.numbers}>
    <summary>Show as a table</summary>
    <PlainTable
      label={`${title}, by time`}
      head={[
        { label: 'From' },
        ...data.lines.map(({ label }) => ({ label, align: 'end' as const })),
      ]}
      rows={tabulate(data).map(({ at, values }) => ({
        id: at,
        cells: [<TimeText key="at" at={at} form="absolute" />, ...values],
      }))}
    />
  </details>
);

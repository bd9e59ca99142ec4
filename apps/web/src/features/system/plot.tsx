// Draws a chart with uPlot on a canvas. Loaded only when a chart is shown.
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { timeZone } from '../../api/preferences.ts';
import type { ChartData, Line } from './chart-data.ts';

const HEIGHT = 220;
/** The minimum scale, for a chart without events. */
const MIN_SCALE = 1;

export const Plot = ({ data }: { data: ChartData }) => {
  const { ref: measured, width } = useElementSize();
  const frame = useRef<HTMLDivElement>(null);
  const both = useMergedRef(measured, frame);
  const plot = useRef<UPlot | null>(null);
  const scheme = useComputedColorScheme('light');
  const zone = timeZone.use();
  const latest = useRef(data);
  latest.current = data;
  const labels = data.lines.map(({ label }) => label).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of lines, colours or zone creates a new chart.
  useEffect(() => {
    const element = frame.current;
    if (!element || width === 0) return;
    const { lines } = latest.current;
    const made = new UPlot(
      describe(element, lines, width, zone),
      toColumns(latest.current),
      element,
    );
    plot.current = made;
    return () => {
      made.destroy();
      plot.current = null;
    };
  }, [labels, scheme, zone, width]);
  useEffect(() => plot.current?.setData(toColumns(data)), [data]);
  return <div ref={both} style={{ height: HEIGHT }} />;
};

const toColumns = ({ times, lines }: ChartData): UPlot.AlignedData => [
  [...times],
  ...lines.map(({ values }) => [...values]),
];

const describe = (
  element: HTMLElement,
  lines: readonly Line[],
  width: number,
  zone: 'utc' | 'local',
): UPlot.Options => {
  const styles = getComputedStyle(element);
  const colourOf = (token: string) => resolveColour(element, token);
  const axis = {
    stroke: styles.color,
    grid: { stroke: colourOf('--muster-line'), width: 1 },
    ticks: { show: false },
    font: `12px ${styles.fontFamily}`,
  };
  return {
    width,
    height: HEIGHT,
    ...(zone === 'utc' && { tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1000), 'UTC') }),
    legend: { show: false },
    cursor: { show: false },
    scales: { y: { range: (_, __, max) => [0, Math.max(max, MIN_SCALE)] } },
    axes: [
      {
        ...axis,
        size: 28,
        space: 44,
        values: (_, times) => times.map((time) => formatTick(time, zone)),
      },
      { ...axis, size: 46 },
    ],
    series: [
      {},
      ...lines.map(({ label, colour, dash }) => ({
        label,
        stroke: colourOf(colour),
        width: 2,
        points: { show: false },
        ...(dash && { dash: [...dash] }),
      })),
    ],
  };
};

/** "06:10", and "29 Nov" at the start of a day. */
const formatTick = (seconds: number, zone: 'utc' | 'local'): string => {
  const time = new Date(seconds * 1000);
  const inZone = zone === 'utc' ? { timeZone: 'UTC' } : {};
  const clock = time.toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...inZone,
  });
  if (clock !== '00:00') return clock;
  return time.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...inZone });
};

/** A canvas supports neither custom properties nor light-dark(), so an element computes the colour. */
const resolveColour = (parent: HTMLElement, token: string): string => {
  const probe = document.createElement('span');
  probe.style.color = `var(${token})`;
  parent.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
};

import { Text } from '@mantine/core';
import type { ApiOutputs } from '../../api/trpc.ts';
import { formatValue } from './format-numbers.ts';
import { PlainTable } from './plain-table.tsx';

type Metrics = ApiOutputs['system']['get']['join_metrics'];

const HEAD = [
  { label: 'Metric' },
  { label: 'Of' },
  { label: 'Value', align: 'end' },
  { label: 'What it counts' },
] as const;

const nameLabels = (labels: Metrics[number]['values'][number]['labels']): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

/** Every metric about joins that the service has, as its /metrics says it. */
export const JoinMetricsSection = ({ metrics }: { metrics: Metrics }) => {
  const rows = metrics.flatMap(({ name, help, values }) =>
    (values.length > 0 ? values : [{ labels: {}, value: 0 }]).map(({ labels, value }) => ({
      id: `${name} ${nameLabels(labels)}`,
      cells: [
        <code key="name" className="mono">
          {name}
        </code>,
        nameLabels(labels) || '–',
        formatValue(value),
        help,
      ],
    })),
  );
  return (
    <>
      <Text size="sm">
        {rows.length === 0 ? 'The service has none yet.' : 'Since the process started.'}
      </Text>
      {rows.length > 0 && <PlainTable label="Join metrics" head={HEAD} rows={rows} />}
    </>
  );
};

// The state of the service: rates and latencies, the database, and the hash chains of the histories.

import { SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { z } from 'zod';
import type { ApiOutputs } from '../../api/client.ts';
import { trpc } from '../../api/client.ts';
import { requirePermission } from '../../api/me.ts';
import { useArchivedSandboxes, useSandboxes } from '../../api/sandboxes.ts';
import { ChainsSection } from '../../features/system/chains.tsx';
import { formatBytes, formatCount, formatValue } from '../../features/system/chart-data.ts';
import { RateCharts } from '../../features/system/charts.tsx';
import { HealthTiles } from '../../features/system/health-tiles.tsx';
import { PlainTable } from '../../features/system/plain-table.tsx';
import { Page, PageRefused } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';
import { useUrlChange } from '../../ui/url-state.tsx';

const SystemSearch = z.object({
  /** The time range of the charts; absent: one hour. */
  minutes: z
    .literal([24 * 60, 7 * 24 * 60])
    .optional()
    .catch(undefined),
});

export const Route = createFileRoute('/_app/system')({
  validateSearch: SystemSearch,
  beforeLoad: ({ context }) => requirePermission(context.me, ['metrics:view']),
  component: SystemPage,
  notFoundComponent: () => (
    <PageRefused title="System" refusal="Your account may not see the state of the system" />
  ),
});

const HOUR = 60;
const RANGES = [
  { value: '60', label: 'Hour' },
  { value: '1440', label: '24 hours' },
  { value: '10080', label: '7 days' },
];
const CHARTS_EVERY_MS = 15_000;
const FACTS_EVERY_MS = 15_000;

function SystemPage() {
  const { minutes = HOUR } = Route.useSearch();
  const change = useUrlChange();
  const facts = useQuery({ ...trpc.system.get.queryOptions(), refetchInterval: FACTS_EVERY_MS });
  const series = useQuery({
    ...trpc.system.series.queryOptions({ minutes }),
    refetchInterval: CHARTS_EVERY_MS,
    placeholderData: (old) => old,
  });
  const setRange = (value: string) =>
    change({ minutes: Number(value) === HOUR ? undefined : Number(value) });
  return (
    <Page
      title="System"
      actions={
        <SegmentedControl
          aria-label="Time range of the charts"
          data={RANGES}
          value={String(minutes)}
          onChange={setRange}
        />
      }
    >
      {facts.data && (
        <Text size="xs" c="dimmed">
          Muster {facts.data.service.version} on {facts.data.service.runtime}, process{' '}
          {facts.data.service.pid}, started <TimeText at={facts.data.service.started} />. Charts
          show all processes together; join metrics are of this process, since its start.
        </Text>
      )}
      <HealthTiles />
      <QueryState query={series}>
        {({ points, interval_seconds }) => (
          <RateCharts points={points} intervalSeconds={interval_seconds} />
        )}
      </QueryState>
      <QueryState query={facts}>
        {({ chains, database, join_metrics }) => (
          <Stack gap="lg">
            <div>
              <Title order={2}>Histories of all sandboxes</Title>
              <AllChains chains={chains} />
            </div>
            <div>
              <Title order={2}>Database</Title>
              <DatabaseSection database={database} />
            </div>
            <div>
              <Title order={2}>Join metrics</Title>
              <JoinMetricsSection metrics={join_metrics} />
            </div>
          </Stack>
        )}
      </QueryState>
    </Page>
  );
}

type Chain = ApiOutputs['system']['get']['chains'][number];

/** The service lists the first 200 sandboxes here; the others come from the list of visible sandboxes. */
const AllChains = ({ chains }: { chains: readonly Chain[] }) => {
  const sandboxes = [...useSandboxes(), ...useArchivedSandboxes()];
  const all = new Map<string, Chain>([...sandboxes, ...chains].map((one) => [one.sandbox_id, one]));
  const sorted = [...all.values()].toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
  return <ChainsSection chains={sorted} />;
};

type Database = ApiOutputs['system']['get']['database'];

const TABLE_HEAD = [
  { label: 'Table' },
  { label: 'Size with indexes', align: 'end' },
  { label: 'Rows, estimated', align: 'end' },
] as const;

const DatabaseSection = ({ database }: { database: Database }) => (
  <>
    <Text size="sm">
      PostgreSQL {database.version} holds{' '}
      <strong className="numbers">{formatBytes(database.size_bytes)}</strong> and has{' '}
      {formatCount(database.connections)} connections.
    </Text>
    <PlainTable
      label="Tables of the database"
      head={TABLE_HEAD}
      rows={database.tables.map(({ name, bytes, rows_estimate }) => ({
        id: name,
        cells: [
          <code key="name" className="mono">
            {name}
          </code>,
          formatBytes(bytes),
          rows_estimate === undefined ? '–' : formatCount(rows_estimate),
        ],
      }))}
    />
  </>
);

type Metrics = ApiOutputs['system']['get']['join_metrics'];

const METRIC_HEAD = [
  { label: 'Metric' },
  { label: 'Of' },
  { label: 'Value', align: 'end' },
  { label: 'What it counts' },
] as const;

const nameLabels = (labels: Metrics[number]['values'][number]['labels']): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');

/** All metrics about joins, as /metrics returns them. */
const JoinMetricsSection = ({ metrics }: { metrics: Metrics }) => {
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
      {rows.length > 0 && <PlainTable label="Join metrics" head={METRIC_HEAD} rows={rows} />}
    </>
  );
};

// How the service is: its rates and times, its database, and the chains of its histories.
import { SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { usePermission } from '../../access/me.ts';
import { trpc } from '../../api/trpc.ts';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { useUrlChange } from '../../components/url/url-state.ts';
import { ChainsSection } from './chains/chains-section.tsx';
import { RateCharts } from './charts/rate-charts.tsx';
import { DatabaseSection } from './database-section.tsx';
import { JoinMetricsSection } from './join-metrics-section.tsx';

const route = getRouteApi('/app/system');
const HOUR = 60;
const RANGES = [
  { value: '5', label: '5 min' },
  { value: '15', label: '15 min' },
  { value: '60', label: 'Hour' },
];
const CHARTS_EVERY_MS = 5000;
const FACTS_EVERY_MS = 15_000;

export const SystemPage = () =>
  usePermission(['metrics:view']) ? (
    <SystemView />
  ) : (
    <Page title="System">
      <EmptyState title="Your account may not see the state of the system" />
    </Page>
  );

const SystemView = () => {
  const { minutes = HOUR } = route.useSearch();
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
          aria-label="How far the charts look back"
          data={RANGES}
          value={String(minutes)}
          onChange={setRange}
        />
      }
    >
      {facts.data && (
        <Text size="xs" c="dimmed">
          Muster {facts.data.service.version} on {facts.data.service.runtime}, process{' '}
          {facts.data.service.pid}, started <TimeText at={facts.data.service.started} />. Charts and
          join metrics are of this process, since its start.
        </Text>
      )}
      <QueryState query={series}>{({ points }) => <RateCharts points={points} />}</QueryState>
      <QueryState query={facts}>
        {({ chains, database, join_metrics }) => (
          <Stack gap="lg">
            <div>
              <Title order={2}>Histories</Title>
              <ChainsSection chains={chains} />
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
};

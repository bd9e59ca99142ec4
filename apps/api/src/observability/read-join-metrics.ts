import type { Registry } from 'prom-client';

export type JoinMetric = {
  name: string;
  help: string;
  values: { labels: Record<string, string | number>; value: number }[];
};

const PREFIX = 'muster_join';

/** Every metric about joins that the registry has, as it is now. */
export const readJoinMetrics = async (registry: Registry): Promise<JoinMetric[]> => {
  const metrics = await registry.getMetricsAsJSON();
  return metrics
    .filter(({ name }) => name.startsWith(PREFIX))
    .map(({ name, help, values }) => ({
      name,
      help,
      values: values.map(({ labels, value }) => ({ labels: toPlain(labels), value })),
    }));
};

const toPlain = (labels: Partial<Record<string, string | number>>) =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

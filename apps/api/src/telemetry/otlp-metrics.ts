// Sends the metrics of the process over OTLP/HTTP. They are those of /metrics, with the same names.
import type { Attributes, HrTime } from '@opentelemetry/api';
import { ValueType } from '@opentelemetry/api';
import { ExportResultCode, millisToHrTime } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import type {
  CollectionResult,
  MetricData,
  MetricProducer,
  PushMetricExporter,
} from '@opentelemetry/sdk-metrics';
import {
  AggregationTemporality,
  DataPointType,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';
import { describeService } from './tracing.ts';

type OtlpMetricsOptions = {
  registry: Pick<Registry, 'getMetricsAsJSON'>;
  intervalMs: number;
  /** Called with the reason why metrics cannot be sent. The next interval sends them again. */
  onFailure: (error: unknown) => void;
};

const STOP_MS = 2_000;

/** Endpoint, headers, time-out and compression come from the OTEL_… variables, as the specification says. Call the result to stop. */
export const openOtlpMetrics = ({
  registry,
  intervalMs,
  onFailure,
}: OtlpMetricsOptions): (() => Promise<void>) => {
  const resource = describeService();
  const startTime = millisToHrTime(Date.now() - process.uptime() * 1_000);
  const producer: MetricProducer = {
    collect: async (): Promise<CollectionResult> => {
      const found = (await registry.getMetricsAsJSON()) as MetricObjectWithValues<Value>[];
      const times = { startTime, endTime: millisToHrTime(Date.now()) };
      const metrics = found.map((metric) => toMetricData(metric, times));
      const scopeMetrics = [{ scope: { name: 'muster' }, metrics }];
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
    },
  };
  const reader = new PeriodicExportingMetricReader({
    exporter: reportFailures(new OTLPMetricExporter(), onFailure),
    exportIntervalMillis: intervalMs,
    exportTimeoutMillis: intervalMs,
    metricProducers: [producer],
  });
  const provider = new MeterProvider({ resource, readers: [reader] });
  return () =>
    Promise.race([
      provider.shutdown().catch(onFailure),
      new Promise<void>((done) => setTimeout(done, STOP_MS).unref()),
    ]);
};

/** The library reports every failure to one handler of the process, which belongs to the traces. */
const reportFailures = (
  exporter: PushMetricExporter,
  onFailure: (error: unknown) => void,
): PushMetricExporter => ({
  export: (metrics, done) =>
    exporter.export(metrics, ({ code, error }) => {
      if (code === ExportResultCode.FAILED) onFailure(error);
      done({ code: ExportResultCode.SUCCESS });
    }),
  forceFlush: () => exporter.forceFlush(),
  shutdown: () => exporter.shutdown(),
});

type Times = { startTime: HrTime; endTime: HrTime };
type Value = MetricValue<string> & { metricName?: string };

const toMetricData = (metric: MetricObjectWithValues<Value>, times: Times): MetricData => {
  // prom-client declares the type as an enumeration of numbers, and writes names.
  const type = String(metric.type);
  const descriptor = {
    name: metric.name,
    description: metric.help,
    unit: '',
    valueType: ValueType.DOUBLE,
  };
  const common = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE };
  if (type === 'histogram') {
    const dataPoints = toHistograms(metric.values).map((point) => ({ ...times, ...point }));
    return { ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints };
  }
  const dataPoints = metric.values.map(({ value, labels }) => ({
    ...times,
    attributes: labels as Attributes,
    value,
  }));
  return type === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
};

type Buckets = { attributes: Attributes; bounds: [number, number][]; sum: number; count: number };

/** Prometheus counts all values up to a bound, OpenTelemetry those between two bounds. */
const toHistograms = (values: readonly Value[]) => {
  const found = new Map<string, Buckets>();
  for (const { value, labels, metricName = '' } of values) {
    const { le, ...attributes } = labels as Record<string, string | number>;
    const key = JSON.stringify(attributes);
    const buckets = found.get(key) ?? { attributes, bounds: [], sum: 0, count: 0 };
    found.set(key, buckets);
    if (metricName.endsWith('_sum')) buckets.sum = value;
    else if (metricName.endsWith('_count')) buckets.count = value;
    else if (le !== '+Inf') buckets.bounds.push([Number(le), value]);
  }
  return [...found.values()].map(({ attributes, bounds, sum, count }) => {
    const totals = [0, ...bounds.map(([, total]) => total), count];
    const counts = totals.slice(1).map((total, index) => total - (totals[index] ?? 0));
    const buckets = { boundaries: bounds.map(([bound]) => bound), counts };
    return { attributes, value: { buckets, sum, count } };
  });
};

// Reads the response of a service at /metrics.
import { authorise } from './faults/test-bed.ts';
import type { TestService } from './test-service.ts';

/** Of a service process, by series such as `muster_requests_in_progress{kind="join"}`; 0 for what has not been counted yet. */
export const readMetrics = async (baseUrl: string): Promise<(series: string) => number> => {
  const headers = { authorization: await authorise('operator', '*') };
  const text = await (await fetch(`${baseUrl}/metrics`, { headers })).text();
  return (series) => findValue(text, series);
};

/** The value of one series of a service in this process; 0 without one. */
export const readMetric = async (service: TestService, series: string): Promise<number> => {
  const response = await fetch(`${service.baseUrl}/metrics`, { headers: await service.headers() });
  return findValue(await response.text(), series);
};

const findValue = (text: string, series: string): number => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
};

export type MetricFamily = { type: string; labels: Set<string>; values: Map<string, number> };

/**
 * The text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/
 *
 * By the name of the metric; `values` by the text of the labels, or by '' without any.
 */
export const parseMetrics = (text: string): Map<string, MetricFamily> => {
  const families = new Map<string, MetricFamily>();
  for (const line of text.split('\n')) {
    const [, name, type] = /^# TYPE (\S+) (\S+)$/.exec(line) ?? [];
    if (name && type) families.set(name, { type, labels: new Set(), values: new Map() });
    const [, sample, labels = '', value] = /^([a-z]\w*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    const family = sample && (families.get(sample) ?? families.get(toFamily(sample)));
    if (!family) continue;
    for (const [, label = ''] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) {
      if (label !== 'le') family.labels.add(label);
    }
    family.values.set(labels, Number(value));
  }
  return families;
};

/** A histogram is written as three series. */
export const toFamily = (sample: string): string => sample.replace(/_(?:bucket|sum|count)$/, '');

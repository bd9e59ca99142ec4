// The text format of Prometheus: https://prometheus.io/docs/instrumenting/exposition_formats/

export type MetricFamily = { type: string; labels: Set<string>; values: Map<string, number> };

/** By the name of the metric; `values` by the labels as they are written, or by '' where there are none. */
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

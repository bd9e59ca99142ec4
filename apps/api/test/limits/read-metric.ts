import type { TestService } from '../start-test-service.ts';

/** The value of one series, such as `muster_requests_refused_total{kind="join",reason="concurrency"}`; 0 where there is none. */
export const readMetric = async (service: TestService, series: string): Promise<number> => {
  const response = await fetch(`${service.baseUrl}/metrics`, { headers: await service.headers() });
  return findSeries(await response.text(), series);
};

/** Of the text that `/metrics` answers. */
export const findSeries = (text: string, series: string): number => {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
};

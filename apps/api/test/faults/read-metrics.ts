// What a service says of itself in numbers.
import { findSeries } from '../limits/read-metric.ts';
import { authorise } from './credentials.ts';

/** By series, as `muster_requests_under_way{kind="join"}`; 0 for what has not been counted yet. */
export const readMetrics = async (baseUrl: string): Promise<(series: string) => number> => {
  const headers = { authorization: await authorise('operator', '*') };
  const text = await (await fetch(`${baseUrl}/metrics`, { headers })).text();
  return (series) => findSeries(text, series);
};

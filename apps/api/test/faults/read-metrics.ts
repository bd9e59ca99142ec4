// What a service says of itself in numbers.
import { authorise } from './credentials.ts';

/** By series, as `muster_requests_under_way{kind="join"}`; 0 for what has not been counted yet. */
export const readMetrics = async (baseUrl: string): Promise<(series: string) => number> => {
  const headers = { authorization: await authorise('operator', '*') };
  const text = await (await fetch(`${baseUrl}/metrics`, { headers })).text();
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const values = new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end))] as const;
    }),
  );
  return (series) => values.get(series) ?? 0;
};

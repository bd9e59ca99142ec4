// The last minutes of the service, for the tiles of the page System and the banner on every page.
import { queryOptions } from '@tanstack/react-query';
import { trpc } from '../../api/client.ts';
import { JUDGED_MINUTES } from './thresholds.ts';

const EVERY_MS = 60_000;

export const healthOptions = queryOptions({
  ...trpc.system.series.queryOptions({ minutes: JUDGED_MINUTES }),
  refetchInterval: EVERY_MS,
});

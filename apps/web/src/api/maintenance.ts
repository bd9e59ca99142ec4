// Whether the service refuses joins and changes at present.
import { queryOptions } from '@tanstack/react-query';
import { trpc } from './client.ts';

const LIVE_MS = 10_000;

export const maintenanceOptions = queryOptions({
  ...trpc.maintenance.get.queryOptions(),
  refetchInterval: LIVE_MS,
});

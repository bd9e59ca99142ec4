import { sandboxesOptions } from '../../access/sandboxes.ts';
import { queryClient } from '../../api/query-client.ts';
import { trpc } from '../../api/trpc.ts';

/** After many records were written at once: whatever shows any of them is read again. */
export const refreshCatalogue = (): void => {
  const stale = [
    trpc.items.pathKey(),
    trpc.xp.pathKey(),
    trpc.versions.pathKey(),
    trpc.records.pathKey(),
    trpc.compare.pathKey(),
    trpc.overview.pathKey(),
    sandboxesOptions.queryKey,
  ];
  for (const queryKey of stale) void queryClient.invalidateQueries({ queryKey });
};

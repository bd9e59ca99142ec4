// The sandboxes that the account may see. There are few enough to load them all at once.
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { ApiOutputs } from './client.ts';
import { api } from './client.ts';
import { lastSandbox } from './preferences.ts';

export type Sandbox = ApiOutputs['sandboxes']['list']['sandboxes'][number];

const PAGE_SIZE = 200;

const listSandboxes = async (status: 'active' | 'archived' | 'deleted', signal: AbortSignal) => {
  const sandboxes: Sandbox[] = [];
  let keptDays: number | undefined;
  let cursor: string | undefined;
  do {
    const input = { status, page_size: PAGE_SIZE, cursor };
    const page = await api.sandboxes.list.query(input, { signal });
    sandboxes.push(...page.sandboxes);
    keptDays = page.deleted_kept_days;
    cursor = page.page_meta.cursor;
  } while (cursor);
  return { sandboxes, keptDays };
};

/** The queries for lists of sandboxes, which every change of a sandbox makes stale. */
export const SANDBOXES_KEY = ['sandboxes'] as const;

/** Archived sandboxes come last. Their pages can be opened, but other lists leave them out. */
export const sandboxesOptions = queryOptions({
  queryKey: [...SANDBOXES_KEY, 'known'],
  queryFn: async ({ signal }): Promise<Sandbox[]> => {
    const lists = await Promise.all([
      listSandboxes('active', signal),
      listSandboxes('archived', signal),
    ]);
    return lists.flatMap(({ sandboxes }) => sandboxes);
  },
  staleTime: 60_000,
});

const useKnownSandboxes = (): Sandbox[] => useSuspenseQuery(sandboxesOptions).data;

/** The sandboxes that are not archived. */
export const useSandboxes = (): Sandbox[] => {
  const known = useKnownSandboxes();
  return useMemo(() => known.filter(({ archived }) => archived === undefined), [known]);
};

export const useArchivedSandboxes = (): Sandbox[] =>
  useKnownSandboxes().filter(({ archived }) => archived !== undefined);

/** The deleted sandboxes that the account can restore, with the retention in days; absent: kept forever. */
export const useDeletedSandboxes = () =>
  useQuery({
    queryKey: [...SANDBOXES_KEY, 'deleted'],
    queryFn: ({ signal }) => listSandboxes('deleted', signal),
  });

/** The id of the sandbox whose page is open. */
export const useSandboxId = (): string => useParams({ strict: false }).sandbox ?? '';

/** Undefined for a sandbox that does not exist, or that the account may not see. */
export const useSandbox = (sandboxId: string | undefined): Sandbox | undefined =>
  useKnownSandboxes().find(({ sandbox_id }) => sandbox_id === sandboxId);

/**
 * The sandbox that the navigation links to: the one in the URL, else the last open one,
 * else the first one. `isOpen` is false on pages outside of a sandbox.
 */
export const useCurrentSandbox = (): { sandbox: Sandbox | undefined; isOpen: boolean } => {
  const active = useSandboxes();
  const { sandbox: inAddress } = useParams({ strict: false });
  const opened = useSandbox(inAddress);
  const last = lastSandbox.use();
  if (inAddress) return { sandbox: opened, isOpen: true };
  const found = active.find(({ sandbox_id }) => sandbox_id === last);
  return { sandbox: found ?? active[0], isOpen: false };
};

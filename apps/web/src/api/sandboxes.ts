// The sandboxes that the account may see: few enough to be read at once.
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

/** Every query about lists of sandboxes: what a change of one makes stale. */
export const SANDBOXES_KEY = ['sandboxes'] as const;

/** Archived ones come last: the pages of one can be opened, and lists leave it out. */
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

/** Those that people work with: not the archived ones. */
export const useSandboxes = (): Sandbox[] => {
  const known = useKnownSandboxes();
  return useMemo(() => known.filter(({ archived }) => archived === undefined), [known]);
};

export const useArchivedSandboxes = (): Sandbox[] =>
  useKnownSandboxes().filter(({ archived }) => archived !== undefined);

/** Those that the account administers and can restore, with the days that they are kept; absent: for ever. */
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
 * The sandbox that the navigation leads into: the one in the address, else the one that was open last,
 * else the first. `isOpen` is false on pages that belong to no sandbox.
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

// The sandboxes that the account may see: few enough to be read at once.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { ApiOutputs } from '../api/trpc.ts';
import { api } from '../api/trpc.ts';

export type Sandbox = ApiOutputs['sandboxes']['list']['sandboxes'][number] & {
  /** Players play in it: destructive actions need its typed name. */
  protected?: boolean;
};

const PAGE_SIZE = 200;

const listSandboxes = async (signal: AbortSignal): Promise<Sandbox[]> => {
  const all: Sandbox[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.sandboxes.list.query({ page_size: PAGE_SIZE, cursor }, { signal });
    all.push(...page.sandboxes);
    cursor = page.page_meta.cursor;
  } while (cursor);
  return all;
};

export const sandboxesOptions = queryOptions({
  queryKey: ['sandboxes'],
  queryFn: ({ signal }) => listSandboxes(signal),
  staleTime: 60_000,
});

export const useSandboxes = (): Sandbox[] => useSuspenseQuery(sandboxesOptions).data;

/** Undefined for a sandbox that does not exist, or that the account may not see. */
export const useSandbox = (sandboxId: string | undefined): Sandbox | undefined =>
  useSandboxes().find(({ sandbox_id }) => sandbox_id === sandboxId);

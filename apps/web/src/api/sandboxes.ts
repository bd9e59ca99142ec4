// The sandboxes that the account may see: few enough to be read at once.
import { queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ApiOutputs } from './client.ts';
import { api } from './client.ts';
import { lastSandbox } from './preferences.ts';

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

/**
 * The sandbox that the navigation leads into: the one in the address, else the one that was open last,
 * else the first. `isOpen` is false on pages that belong to no sandbox.
 */
export const useCurrentSandbox = (): { sandbox: Sandbox | undefined; isOpen: boolean } => {
  const sandboxes = useSandboxes();
  const { sandbox: inAddress } = useParams({ strict: false });
  const last = lastSandbox.use();
  const find = (id: string | undefined) => sandboxes.find(({ sandbox_id }) => sandbox_id === id);
  if (inAddress) return { sandbox: find(inAddress), isOpen: true };
  return { sandbox: find(last) ?? sandboxes[0], isOpen: false };
};

import { useParams } from '@tanstack/react-router';
import type { Sandbox } from '../access/sandboxes.ts';
import { useSandboxes } from '../access/sandboxes.ts';
import { lastSandbox } from '../preferences/last-sandbox.ts';

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

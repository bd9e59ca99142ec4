import { useSandboxes } from '../../access/sandboxes.ts';

/** Names of sandboxes, or that it is every one. Unknown ones are counted: the reader may not see them. */
export const SandboxNames = ({ ids }: { ids: readonly string[] | undefined }) => {
  const sandboxes = useSandboxes();
  if (!ids) return <>Every sandbox</>;
  const names = sandboxes.filter(({ sandbox_id }) => ids.includes(sandbox_id));
  const unknown = ids.length - names.length;
  const words = names.map(({ name }) => name);
  return <>{[...words, ...(unknown > 0 ? [`${unknown} other`] : [])].join(', ')}</>;
};

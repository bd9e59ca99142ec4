import { useSandbox } from '../../access/sandboxes.ts';

/** The name of a sandbox; the id where the reader may not see it. */
export const SandboxName = ({ id }: { id: string }) => {
  const sandbox = useSandbox(id);
  return <span title={sandbox ? id : undefined}>{sandbox?.name ?? id}</span>;
};

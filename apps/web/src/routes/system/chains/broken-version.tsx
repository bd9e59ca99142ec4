import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { trpc } from '../../../api/trpc.ts';
import { CopyableId } from '../../../components/ids/copyable-id.tsx';

type BrokenVersionProps = { sandboxId: string; versionId: string };

/** Leads to the history of the record, with the broken version open. */
export const BrokenVersion = ({ sandboxId, versionId }: BrokenVersionProps) => {
  const { data } = useQuery(
    trpc.versions.get.queryOptions({ sandbox_id: sandboxId, version_id: versionId }),
  );
  if (!data) return <CopyableId id={versionId} label="version id" short />;
  return (
    <p>
      <Link
        to={data.kind === 'item' ? '/s/$sandbox/items/$id' : '/s/$sandbox/xp/$id'}
        params={{ sandbox: sandboxId, id: data.record_id }}
        search={{ tab: 'history', version: versionId }}
      >
        {data.name}, version {data.version}
      </Link>
    </p>
  );
};

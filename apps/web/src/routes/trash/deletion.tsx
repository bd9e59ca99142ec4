import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { AccountName } from '../../components/accounts/account-name.tsx';
import { useRecordPlace } from '../../features/records/record-queries.ts';

/** Who deleted a record, and the reason: the newest version says it. Asked for the rows on the screen only. */
export const Deletion = ({ versionId }: { versionId: string }) => {
  const { sandbox } = useRecordPlace();
  const { data } = useQuery({
    ...trpc.versions.get.queryOptions({ sandbox_id: sandbox, version_id: versionId }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return null;
  return (
    <>
      <AccountName id={data.account_id} />
      {data.reason && `: ${data.reason}`}
    </>
  );
};

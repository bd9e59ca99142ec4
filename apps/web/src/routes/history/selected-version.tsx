// The drawer beside the history: what one version changed, and the way back to it.
import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { QueryState } from '../../components/states/query-state.tsx';
import { useUrlChange, useUrlValues } from '../../components/url/url-state.ts';
import { ITEM, XP } from '../../features/records/record-kind.ts';
import { recordOptions } from '../../features/records/record-queries.ts';
import { VersionDetails } from '../../features/records/versions/version-details.tsx';

/** Open while the address names a version. */
export const SelectedVersion = ({ sandbox }: { sandbox: string }) => {
  const { version } = useUrlValues();
  const change = useUrlChange();
  const versionId = typeof version === 'string' ? version : undefined;
  return (
    <Drawer
      opened={versionId !== undefined}
      onClose={() => change({ version: undefined })}
      position="right"
      size="xl"
      title="Version"
    >
      {versionId && <OfAnyRecord sandbox={sandbox} versionId={versionId} />}
    </Drawer>
  );
};

type Place = { sandbox: string; versionId: string };

/** Which record it is a version of is known only once it is read. */
const OfAnyRecord = ({ sandbox, versionId }: Place) => {
  const version = useQuery(
    trpc.versions.get.queryOptions({ sandbox_id: sandbox, version_id: versionId }),
  );
  return (
    <QueryState query={version}>
      {({ kind, record_id }) => (
        <OfRecord
          kind={kind === 'item' ? ITEM : XP}
          recordId={record_id}
          sandbox={sandbox}
          versionId={versionId}
        />
      )}
    </QueryState>
  );
};

type RecordPlace = Place & { kind: typeof ITEM; recordId: string };

const OfRecord = ({ kind, recordId, sandbox, versionId }: RecordPlace) => {
  const record = useQuery(recordOptions(kind, sandbox, recordId));
  return (
    <QueryState query={record}>
      {(stored) => (
        <VersionDetails
          kind={kind}
          sandbox={sandbox}
          stored={stored}
          versionId={versionId}
          isNamed
        />
      )}
    </QueryState>
  );
};

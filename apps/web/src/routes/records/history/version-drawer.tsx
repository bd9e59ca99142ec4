// The versions of an open record, one at a time beside their list.
import { Drawer } from '@mantine/core';
import { useUrlChange, useUrlValues } from '../../../components/url/url-state.ts';
import type { RecordKind } from '../../../features/records/record-kind.ts';
import type { StoredRecord } from '../../../features/records/record-procedures.ts';
import { VersionDetails } from '../../../features/records/versions/version-details.tsx';

type VersionDrawerProps = { kind: RecordKind; sandbox: string; stored: StoredRecord };

/** Open while the address names a version. */
export const VersionDrawer = (props: VersionDrawerProps) => {
  const { version } = useUrlValues();
  const change = useUrlChange();
  const versionId = typeof version === 'string' ? version : undefined;
  return (
    <Drawer
      opened={versionId !== undefined}
      onClose={() => change({ version: undefined })}
      position="right"
      size="xl"
      title={props.stored.name}
    >
      {versionId && <VersionDetails {...props} versionId={versionId} />}
    </Drawer>
  );
};

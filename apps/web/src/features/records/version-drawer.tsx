// Shows one version of an open record beside the list of versions.
import { Drawer } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { trpc } from '../../api/client.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { QueryState } from '../../ui/states.tsx';
import { useUrlChange, useUrlValues } from '../../ui/url-state.tsx';
import type { RecordKind, StoredRecord } from './record-kind.ts';
import { RECORD_KINDS } from './record-kind.ts';
import { recordOptions } from './record-queries.ts';
import { VersionDetails } from './version-details.tsx';

type AddressedDrawerProps = { title: string; children: (versionId: string) => ReactNode };

/** Open while the URL has a version id. */
export const AddressedDrawer = ({ title, children }: AddressedDrawerProps) => {
  const { version } = useUrlValues();
  const change = useUrlChange();
  const versionId = typeof version === 'string' ? version : undefined;
  return (
    <Drawer
      opened={versionId !== undefined}
      onClose={() => change({ version: undefined })}
      size="xl"
      title={title}
    >
      {versionId && children(versionId)}
    </Drawer>
  );
};

type VersionDrawerProps = { kind: RecordKind; stored: StoredRecord };

export const VersionDrawer = (props: VersionDrawerProps) => (
  <AddressedDrawer title={props.stored.name}>
    {(versionId) => <VersionDetails {...props} versionId={versionId} />}
  </AddressedDrawer>
);

export const SelectedVersion = () => (
  <AddressedDrawer title="Version">
    {(versionId) => <OfAnyRecord versionId={versionId} />}
  </AddressedDrawer>
);

/** The version must be loaded before its record is known. */
const OfAnyRecord = ({ versionId }: { versionId: string }) => {
  const version = useQuery(
    trpc.versions.get.queryOptions({ sandbox_id: useSandboxId(), version_id: versionId }),
  );
  return (
    <QueryState query={version}>
      {({ kind, record_id }) => (
        <OfRecord kind={RECORD_KINDS[kind]} recordId={record_id} versionId={versionId} />
      )}
    </QueryState>
  );
};

type OfRecordProps = { kind: RecordKind; recordId: string; versionId: string };

const OfRecord = ({ kind, recordId, versionId }: OfRecordProps) => {
  const record = useQuery(recordOptions(kind, useSandboxId(), recordId));
  return (
    <QueryState query={record}>
      {(stored) => <VersionDetails kind={kind} stored={stored} versionId={versionId} isNamed />}
    </QueryState>
  );
};

// A record of a past moment beside the list: what has changed since then, and the whole record at that time.
import { Box, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { trpc } from '../../api/client.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { DiffView } from '../../ui/diff-view.tsx';
import { Facts } from '../../ui/facts.tsx';
import { EmptyState, QueryState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';
import { RecordDetails } from '../records/record-details.tsx';
import type { StoredRecord } from '../records/record-kind.ts';
import { RECORD_KINDS, readFields } from '../records/record-kind.ts';
import { RecordLink } from '../records/record-links.tsx';
import { recordOptions } from '../records/record-queries.ts';
import { AddressedDrawer } from '../records/version-drawer.tsx';
import { RestorePastButton } from './past-actions.tsx';

export const PastDrawer = () => (
  <AddressedDrawer title="Then and now">
    {(versionId) => <PastRecord versionId={versionId} />}
  </AddressedDrawer>
);

const PastRecord = ({ versionId }: { versionId: string }) => {
  const place = { sandbox_id: useSandboxId(), version_id: versionId };
  const version = useQuery(trpc.versions.get.queryOptions(place));
  return <QueryState query={version}>{(old) => <ThenAndNow old={old} />}</QueryState>;
};

type Old = ApiOutputs['versions']['get'];

const ThenAndNow = ({ old }: { old: Old }) => {
  const sandbox = useSandboxId();
  const kind = RECORD_KINDS[old.kind];
  const now = useQuery(recordOptions(kind, sandbox, old.record_id));
  return (
    <QueryState query={now}>
      {(stored) => (
        <Stack gap="lg">
          <Facts
            facts={{
              [kind.one]: <RecordLink kind={kind} id={old.record_id} name={stored.name} />,
              Then: <VersionFact version={old.version} at={old.issued_at} />,
              Now: stored.deleted ? (
                'deleted'
              ) : (
                <VersionFact version={stored.version} at={stored.updated} />
              ),
            }}
          />
          <Group gap="xs">
            <RestorePastButton ids={[old.record_id]} reason={isSame(old, stored) && UNCHANGED} />
          </Group>
          <section>
            <Heading>Changed since then</Heading>
            <ChangesSince old={old} stored={stored} />
          </section>
          <section>
            <Heading>The whole {kind.one} at that time</Heading>
            <RecordDetails kind={kind} fields={readFields(kind, old.record)} />
          </section>
        </Stack>
      )}
    </QueryState>
  );
};

const UNCHANGED = 'It has not changed since then.';

const isSame = (old: Old, stored: StoredRecord): boolean =>
  old.version_id === stored.version_id && !stored.deleted;

const Heading = (props: { children: ReactNode }) => (
  <Box component="h3" m="0 0 4px" fz="sm" fw={600} {...props} />
);

const VersionFact = ({ version, at }: { version: number; at: string }) => (
  <>
    version {version}, <TimeText at={at} />
  </>
);

const ChangesSince = ({ old, stored }: { old: Old; stored: StoredRecord }) => {
  const diff = useQuery(
    trpc.versions.diff.queryOptions({
      sandbox_id: useSandboxId(),
      from_version_id: old.version_id,
      to_version_id: stored.version_id,
    }),
  );
  return (
    <QueryState query={diff}>
      {({ changes }) =>
        changes.length === 0 ? (
          <EmptyState title="No field has changed">
            {stored.deleted ? 'It was deleted without any other change.' : UNCHANGED}
          </EmptyState>
        ) : (
          <DiffView changes={changes} />
        )
      }
    </QueryState>
  );
};

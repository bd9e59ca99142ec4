// One version of a record: its changes and the whole record, with a button to restore it.
import { Box, Flex, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { trpc } from '../../api/client.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import { ActionButton, LinkButton } from '../../ui/action-button.tsx';
import { CopyableId } from '../../ui/copyable.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { QueryState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';
import { SearchLink, useUrlChange } from '../../ui/url-state.tsx';
import { AccountName } from '../accounts/account-name.tsx';
import { RecordDetails } from './record-details.tsx';
import { RestoreDialog } from './record-dialogs.tsx';
import type { RecordKind, StoredRecord } from './record-kind.ts';
import { readFields } from './record-kind.ts';
import { OperationTag, RecordLink } from './record-links.tsx';
import classes from './version-details.module.css';

type VersionDetailsProps = {
  kind: RecordKind;
  stored: StoredRecord;
  versionId: string;
  /** Set beside a list of many records: also shows the record's name and the other changes of the same edit. */
  isNamed?: boolean;
};

export const VersionDetails = (props: VersionDetailsProps) => {
  const { kind, stored, versionId, isNamed } = props;
  const sandbox = useSandboxId();
  const change = useUrlChange();
  const [isRestoring, setRestoring] = useState(false);
  const place = { sandbox_id: sandbox };
  const version = useQuery(trpc.versions.get.queryOptions({ ...place, version_id: versionId }));
  const diff = useQuery(trpc.versions.diff.queryOptions({ ...place, to_version_id: versionId }));
  return (
    <QueryState query={version}>
      {(shown) => (
        <Stack gap="lg">
          <div>
            {isNamed && (
              <Box component="p" m="4px 0 0" c="dimmed">
                <RecordLink kind={kind} id={shown.record_id} name={stored.name} /> ·{' '}
                <SearchLink changes={{ transaction_id: shown.transaction_id, version: undefined }}>
                  All changes of this edit
                </SearchLink>
              </Box>
            )}
            <Flex component="h2" align="center" gap={8} m={0} fz="lg">
              Version {shown.version} <OperationTag operation={shown.operation} />
            </Flex>
            <Box component="p" m="4px 0 0" c="dimmed">
              <AccountName id={shown.account_id} />, <TimeText at={shown.issued_at} />{' '}
              <CopyableId id={shown.version_id} label="version id" short />
            </Box>
            {shown.reason && <p className={classes.reason}>{shown.reason}</p>}
          </div>
          <Group gap="xs">
            <ActionButton
              anyOf={['sandbox:config:edit']}
              sandbox={sandbox}
              reason={
                shown.version_id === stored.version_id &&
                !stored.deleted &&
                'This is the current version.'
              }
              onClick={() => setRestoring(true)}
            >
              Restore this version
            </ActionButton>
            <LinkButton
              to={kind.paths.compare}
              params={{ sandbox, id: kind.idOf(stored) }}
              search={{ from: shown.version_id, to: stored.version_id }}
            >
              Compare with the current version
            </LinkButton>
          </Group>
          <section>
            <Box component="h3" m="0 0 4px" fz="sm" fw={600}>
              What it changed
            </Box>
            <QueryState query={diff}>{({ changes }) => <DiffView changes={changes} />}</QueryState>
          </section>
          <section>
            <Box component="h3" m="0 0 4px" fz="sm" fw={600}>
              The whole {kind.one}
            </Box>
            <RecordDetails kind={kind} fields={readFields(kind, shown.record)} />
          </section>
          {isRestoring && (
            <RestoreDialog
              kind={kind}
              stored={stored}
              version={shown}
              onRestored={({ version_id }) => change({ version: version_id })}
              onClose={() => setRestoring(false)}
            />
          )}
        </Stack>
      )}
    </QueryState>
  );
};

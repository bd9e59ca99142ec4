// One version of a record: what it changed, and how the whole record was; from here it can be restored.
import { Group, Stack } from '@mantine/core';
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
  /** Beside a list of many records: says which one it is, and what else the same edit changed. */
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
              <p className={classes.facts}>
                <RecordLink kind={kind} id={shown.record_id} name={stored.name} /> ·{' '}
                <SearchLink changes={{ transaction_id: shown.transaction_id, version: undefined }}>
                  All changes of this edit
                </SearchLink>
              </p>
            )}
            <h2 className={classes.title}>
              Version {shown.version} <OperationTag operation={shown.operation} />
            </h2>
            <p className={classes.facts}>
              <AccountName id={shown.account_id} />, <TimeText at={shown.issued_at} />{' '}
              <CopyableId id={shown.version_id} label="version id" short />
            </p>
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
            <h3 className={classes.heading}>What it changed</h3>
            <QueryState query={diff}>{({ changes }) => <DiffView changes={changes} />}</QueryState>
          </section>
          <section>
            <h3 className={classes.heading}>The whole {kind.one}</h3>
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

// Any two versions of a record, field by field. Both ends are in the address.
import { ActionIcon, Button, Group, Tooltip } from '@mantine/core';
import { IconArrowsLeftRight } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { DiffView } from '../../components/diff/diff-view.tsx';
import { Page } from '../../components/page/page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { useUrlChange, useUrlValues } from '../../components/url/url-state.ts';
import type { RecordKind } from '../../features/records/record-kind.ts';
import { ITEM, XP } from '../../features/records/record-kind.ts';
import { ListLink, RecordLink } from '../../features/records/record-links.tsx';
import type { StoredRecord } from '../../features/records/record-procedures.ts';
import { recordOptions, useRecordPlace } from '../../features/records/record-queries.ts';
import { VersionEnd } from './compare/version-end.tsx';

export const CompareItemPage = () => <CompareRecordPage kind={ITEM} />;
export const CompareXpPage = () => <CompareRecordPage kind={XP} />;

const CompareRecordPage = ({ kind }: { kind: RecordKind }) => {
  const { sandbox, id } = useRecordPlace();
  const record = useQuery(recordOptions(kind, sandbox, id));
  const name = record.data?.name;
  return (
    <Page
      title={name ? `Compare versions of ${name}` : 'Compare versions'}
      above={
        <>
          <ListLink kind={kind} sandbox={sandbox} /> ›{' '}
          <RecordLink kind={kind} sandbox={sandbox} id={id} name={name ?? kind.one} />
        </>
      }
    >
      <QueryState query={record}>
        {(stored) => <Comparison sandbox={sandbox} stored={stored} recordId={id} />}
      </QueryState>
    </Page>
  );
};

type ComparisonProps = { sandbox: string; stored: StoredRecord; recordId: string };

const Comparison = ({ sandbox, stored, recordId }: ComparisonProps) => {
  const values = useUrlValues();
  const change = useUrlChange();
  const to = (values.to as string | undefined) ?? stored.version_id;
  const named = values.from as string | undefined;
  const diff = useQuery({
    ...trpc.versions.diff.queryOptions({
      sandbox_id: sandbox,
      from_version_id: named,
      to_version_id: to,
    }),
    placeholderData: keepPreviousData,
  });
  const from = named ?? diff.data?.from?.version_id;
  const place = { sandbox, recordId };
  return (
    <>
      <Group gap="sm" align="flex-end">
        <VersionEnd
          {...place}
          label="From"
          value={from}
          onChange={(version) => change({ from: version, to })}
        />
        <Tooltip label="Swap both ends">
          <ActionIcon
            size={30}
            aria-label="Swap both ends"
            disabled={!from}
            onClick={() => change({ from: to, to: from })}
          >
            <IconArrowsLeftRight size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <VersionEnd
          {...place}
          label="To"
          value={to}
          onChange={(version) => change({ to: version, from })}
        />
        {(values.from !== undefined || values.to !== undefined) && (
          <Button variant="subtle" onClick={() => change({ from: undefined, to: undefined })}>
            Previous and current
          </Button>
        )}
      </Group>
      <QueryState query={diff}>
        {({ changes, from: before }) =>
          before || named ? (
            <DiffView changes={changes} />
          ) : (
            <>
              <EmptyState title="This is the first version">
                There is none before it to compare with; this is what it began as.
              </EmptyState>
              <DiffView changes={changes} />
            </>
          )
        }
      </QueryState>
    </>
  );
};

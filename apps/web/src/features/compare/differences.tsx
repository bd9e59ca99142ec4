import { Drawer, Group, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { usePermission } from '../../api/me.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { useSandbox } from '../../api/sandboxes.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { DiffView } from '../../ui/diff-view.tsx';
import { Tag } from '../../ui/facts.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table/data-table.tsx';
import { usePagedRows } from '../../ui/table/paged-rows.ts';
import { defineColumns } from '../../ui/table/table-model.ts';
import { SearchLink, useUrlChange } from '../../ui/url-state.tsx';
import { MakeSetButton } from '../change-sets/revert-button.tsx';
import { RECORD_KINDS } from '../records/record-kind.ts';
import { RecordLink } from '../records/record-links.tsx';
import type { Comparison, Counts, Entry } from './comparison.ts';
import { nameStatuses, toPair } from './comparison.ts';
import classes from './differences.module.css';
import { PromoteButton } from './promote-button.tsx';

const route = getRouteApi('/_app/s/$sandbox/compare-sandboxes');
const PAGE_SIZE = 100;
const FILTERS = ['status'];

type Answer = ApiOutputs['compare']['list'];
const rowsOf = ({ entries }: Answer) => entries;
const rowId = ({ record_id }: Entry) => record_id;

/** Promotion writes records of the source. */
const whyNotPromotable = ({ status }: Entry): string | undefined =>
  status === 'only_target' ? 'Only in the target: nothing to promote.' : undefined;

export const Differences = (comparison: Comparison) => {
  const { source, target, kind, at } = comparison;
  const { status, record } = route.useSearch();
  const change = useUrlChange();
  const pair = { ...toPair(comparison), source_at: at };
  const mayEdit = usePermission(['sandbox:config:edit'], target.sandbox_id);
  const first = useQuery(trpc.compare.list.queryOptions({ ...pair, page_size: 1 }));
  const counts = first.data?.counts;
  const input = { ...pair, status, page_size: PAGE_SIZE };
  const rows = usePagedRows<Answer, Entry>({
    queryKey: [...trpc.compare.list.pathKey(), input],
    fetchPage: (cursor, signal) => api.compare.list.query({ ...input, cursor }, { signal }),
    rowsOf,
    rowId,
  });
  const total = counts && (status ? counts[status] : countAll(counts));
  const promotable = counts ? (status ? counts[status] : counts.only_source + counts.different) : 0;
  const open = rows.rows.find(({ record_id }) => record_id === record);
  // A link may point to a record on a later page.
  const isSought = record !== undefined && !open && rows.hasMore && !rows.isLoadingMore;
  const { loadMore } = rows;
  useEffect(() => {
    if (isSought) loadMore();
  });
  const { many } = RECORD_KINDS[kind];
  return (
    <>
      <StatusCounts comparison={comparison} counts={counts} status={status} />
      <DataTable
        label="differences"
        rows={{ ...rows, total }}
        columns={COMPARE_COLUMNS}
        onOpen={({ record_id }) => change({ record: record_id }, { push: true })}
        filters={FILTERS}
        selectedActions={
          mayEdit
            ? (ids, clear) =>
                at === undefined ? (
                  <PromoteButton
                    comparison={comparison}
                    ids={ids}
                    count={ids.length}
                    onDone={clear}
                  />
                ) : (
                  <RestorePast {...comparison} at={at} ids={ids} />
                )
            : undefined
        }
        allActions={
          mayEdit &&
          at === undefined &&
          status !== 'only_target' &&
          promotable > 0 && (
            <PromoteButton comparison={comparison} status={status} count={promotable} />
          )
        }
        whyNotSelectable={at === undefined ? whyNotPromotable : undefined}
        empty={
          at === undefined ? (
            <EmptyState title={`The ${many} of both are the same`}>
              {source.name} and {target.name} have the same {many}, field by field.
            </EmptyState>
          ) : (
            <EmptyState title="Nothing has changed since then">
              {target.name} has the same {many} now, field by field.
            </EmptyState>
          )
        }
      />
      <DifferenceDrawer
        comparison={comparison}
        entry={open}
        onClose={() => change({ record: undefined })}
      />
    </>
  );
};

type RestorePastProps = Comparison & { at: string; ids: readonly string[] };

/** The change set leaves records unchanged that are new since then. */
const RestorePast = ({ target: { sandbox_id }, kind, at, ids }: RestorePastProps) => (
  <MakeSetButton
    sandbox={sandbox_id}
    make={() => api.changeSets.restorePast.mutate({ sandbox_id, kind, at, record_ids: [...ids] })}
  >
    {`Restore ${ids.length.toLocaleString('en')} …`}
  </MakeSetButton>
);

const countAll = ({ only_source, only_target, different }: Answer['counts']): number =>
  only_source + only_target + different;

const COMPARE_COLUMNS = defineColumns<Entry>({
  name: {
    header: 'Name',
    width: 180,
    grow: true,
    cell: ({ name, record_id }) => <SearchLink changes={{ record: record_id }}>{name}</SearchLink>,
    sortValue: ({ name }) => name,
  },
  status: {
    header: 'Where',
    width: 170,
    cell: ({ status }) => <StatusTag status={status} />,
    sortValue: ({ status }) => status,
  },
  fields: {
    header: 'Different fields',
    width: 220,
    grow: true,
    isOnPhone: false,
    cell: ({ status, changes }) =>
      status === 'different' ? [...new Set(changes.map(({ label }) => label))].join(', ') : '',
  },
  versions: {
    header: 'Versions',
    width: 110,
    isOnPhone: false,
    cell: ({ source, target }) => (
      <span className="numbers">
        {source?.version ?? '–'} → {target?.version ?? '–'}
      </span>
    ),
  },
  id: {
    header: 'Id',
    isOnPhone: false,
    cell: ({ record_id }) => <CopyableId id={record_id} label="record id" short />,
  },
});

const TONES = { different: 'info', only_target: 'good', only_source: 'bad' } as const;
const SINCE = { different: 'changed', only_target: 'new', only_source: 'deleted' };

/** Names the sandbox that has the record, instead of "left" and "right". */
const StatusTag = ({ status }: { status: Entry['status'] }) => {
  const target = useSandbox(route.useParams().sandbox);
  const { at } = route.useSearch();
  if (at !== undefined) return <Tag tone={TONES[status]}>{SINCE[status]}</Tag>;
  if (status === 'different') return <Tag tone="info">different</Tag>;
  if (status === 'only_target') return <Tag tone="warn">{`only in ${target?.name}`}</Tag>;
  return <Tag tone="good">{`not in ${target?.name}`}</Tag>;
};

type StatusCountsProps = {
  comparison: Comparison;
  counts: Counts | undefined;
  status: Entry['status'] | undefined;
};

/** The number of differences by type; each number filters the list. */
const StatusCounts = ({ comparison, counts, status }: StatusCountsProps) => {
  const change = useUrlChange();
  return (
    <fieldset className={classes.counts} aria-label="Filter by where">
      {nameStatuses(comparison).map(([name, label]) => (
        <UnstyledButton
          key={name}
          className={classes.count}
          aria-pressed={status === name}
          onClick={() => change({ status: status === name ? undefined : name, sel: undefined })}
        >
          <span className={classes.words}>{label}</span>
          <span className={classes.figure}>{counts?.[name].toLocaleString('en') ?? '…'}</span>
        </UnstyledButton>
      ))}
      <div className={classes.count}>
        <span className={classes.words}>The same</span>
        <span className={classes.figure}>{counts?.same.toLocaleString('en') ?? '…'}</span>
      </div>
    </fieldset>
  );
};

type DifferenceDrawerProps = {
  comparison: Comparison;
  entry: Entry | undefined;
  onClose: () => void;
};

/** One record in both, field by field. */
const DifferenceDrawer = ({ comparison, entry, onClose }: DifferenceDrawerProps) => {
  const { source, target, kind, at } = comparison;
  const linkTo = ({ sandbox_id, name }: Sandbox) =>
    entry && (
      <RecordLink
        kind={RECORD_KINDS[kind]}
        sandbox={sandbox_id}
        id={entry.record_id}
        name={`Open in ${name}`}
      />
    );
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={onClose}
      size="xl"
      title={entry?.name ?? 'Difference'}
    >
      {entry && (
        <>
          <Group gap="sm" mb="xs">
            <StatusTag status={entry.status} />
            <CopyableId id={entry.record_id} label="record id" />
          </Group>
          <Text size="xs" c="dimmed" mb="sm">
            {at === undefined
              ? `Before: the values in ${target.name}. After: the values in ${source.name}.`
              : 'Before: the values now. After: the values at that time.'}
          </Text>
          <DiffView changes={entry.changes} />
          <Group gap="md" mt="md">
            {entry.source && at === undefined && linkTo(source)}
            {(entry.target || at !== undefined) && linkTo(target)}
          </Group>
        </>
      )}
    </Drawer>
  );
};

import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect } from 'react';
import { ActionButton } from '../../access/action-button.tsx';
import { usePermission } from '../../access/me.ts';
import type { ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { usePagedRows } from '../../components/data-table/use-paged-rows.ts';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { useUrlChange } from '../../components/url/url-state.ts';
import { COMPARE_COLUMNS } from './compare-columns.tsx';
import type { Comparison, Entry } from './comparison.ts';
import { KIND_WORDS, toPair } from './comparison.ts';
import { DifferenceDrawer } from './difference-drawer.tsx';
import { StatusCounts } from './status-counts.tsx';

const route = getRouteApi('/app/s/$sandbox/compare-sandboxes');
const PAGE_SIZE = 100;

type Answer = ApiOutputs['compare']['list'];
const rowsOf = ({ entries }: Answer) => entries;
const rowId = ({ record_id }: Entry) => record_id;

export const Differences = (comparison: Comparison) => {
  const { source, target, kind } = comparison;
  const { status, record } = route.useSearch();
  const change = useUrlChange();
  const pair = toPair(comparison);
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
  const open = rows.rows.find(({ record_id }) => record_id === record);
  // A link may name a record of a later page.
  const isSought = record !== undefined && !open && rows.hasMore && !rows.isLoadingMore;
  const { loadMore } = rows;
  useEffect(() => {
    if (isSought) loadMore();
  });
  const { many } = KIND_WORDS[kind];
  return (
    <>
      <StatusCounts comparison={comparison} counts={counts} status={status} />
      <DataTable
        label="Differences"
        rows={{ ...rows, total }}
        columns={COMPARE_COLUMNS}
        onOpen={({ record_id }) => change({ record: record_id }, { push: true })}
        isFiltered={status !== undefined}
        onClearFilters={() => change({ status: undefined, sel: undefined })}
        selectedActions={
          mayEdit
            ? (ids) => (
                <ActionButton
                  onClick={() =>
                    change({ step: 'promote', sort: undefined, cols: undefined }, { push: true })
                  }
                >
                  Promote {ids.length.toLocaleString('en')} …
                </ActionButton>
              )
            : undefined
        }
        empty={
          <EmptyState title={`The ${many} of both are the same`}>
            {source.name} and {target.name} have the same {many}, field by field.
          </EmptyState>
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

const countAll = ({ only_source, only_target, different }: Answer['counts']): number =>
  only_source + only_target + different;

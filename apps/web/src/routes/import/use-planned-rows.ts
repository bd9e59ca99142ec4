// The operations of a plan as rows: a thousand come with the plan, the others as one scrolls to them.
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Rows } from '../../components/data-table/rows.ts';
import { NONE } from '../../components/data-table/rows.ts';
import type { PlannedChange } from '../../features/planned-changes/planned-change.ts';
import { identifyChange } from '../../features/planned-changes/planned-list.tsx';
import { countChanges } from './import-answer.ts';
import { sendFile } from './send-file.ts';
import type { Checked } from './use-import.ts';

/** The service keeps no plan: it makes the same one again, from the same file, and tells its next part. */
const readOperations = async ({ request, answer }: Checked, from: number, signal: AbortSignal) => {
  const place = { expected_head_seq: answer.head_seq, operations_from: from };
  const query = { ...request.query, ...place };
  const { operations } = await sendFile({ ...request, query }, { signal, onSent: () => {} });
  return operations;
};

export const usePlannedRows = (checked: Checked): Rows<PlannedChange> => {
  const { answer } = checked;
  const total = countChanges(answer);
  const pages = useInfiniteQuery({
    queryKey: ['import-plan', answer.plan_digest],
    queryFn: ({ pageParam, signal }) => readOperations(checked, pageParam, signal),
    initialPageParam: 0,
    initialData: { pages: [answer.operations], pageParams: [0] },
    getNextPageParam: (_, all) => {
      const read = all.reduce((sum, { length }) => sum + length, 0);
      return read < total ? read : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return {
    rows: pages.data.pages.flat(),
    rowId: identifyChange,
    gone: NONE,
    arrivals: 0,
    showArrivals: () => {},
    total,
    isTotalExact: true,
    isStale: false,
    isLoading: false,
    isLoadingMore: pages.isFetchingNextPage,
    hasMore: pages.hasNextPage,
    loadMore: () => void pages.fetchNextPage(),
    error: pages.error,
    refetch: pages.fetchNextPage,
  };
};

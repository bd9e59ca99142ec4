import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { LoadingState } from './loading-state.tsx';

type QueryStateProps<Data> = {
  /** What `useQuery` answers. */
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  /** Instead of grey lines. */
  loading?: ReactNode;
  children: (data: Data) => ReactNode;
};

/** Loading, error or content of one query. Content that is there stays when asking again fails. */
export const QueryState = <Data,>({ query, loading, children }: QueryStateProps<Data>) => {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <ErrorState error={query.error} onRetry={query.refetch} />;
  return loading ?? <LoadingState />;
};

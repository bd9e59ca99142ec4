import { Button, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import { toApiError } from '../api/errors.ts';
import { CopyableId } from './copyable.tsx';
import classes from './states.module.css';

type QueryStateProps<Data> = {
  /** The result of `useQuery`. */
  query: { data: Data | undefined; error: unknown; refetch: () => unknown };
  children: (data: Data) => ReactNode;
};

/** The loading state, error or content of one query. Loaded content remains visible if a refetch fails. */
export const QueryState = <Data,>({ query, children }: QueryStateProps<Data>) => {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <ErrorState error={query.error} onRetry={query.refetch} />;
  return <LoadingState />;
};

/** A placeholder for loading content. Screen readers announce one word. */
export const LoadingState = ({ lines = 8 }: { lines?: number }) => (
  <Stack gap={14} py="md" role="status">
    <VisuallyHidden>Loading …</VisuallyHidden>
    {Array.from({ length: lines }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical and never move.
      <Skeleton key={index} height={14} width={`${92 - ((index * 37) % 40)}%`} />
    ))}
  </Stack>
);

type EmptyStateProps = {
  title: string;
  /** One sentence about the missing content, and the action that creates it. */
  children?: ReactNode;
};

/** Shown if there are no rows and no filter is set. */
export const EmptyState = ({ title, children }: EmptyStateProps) => (
  <div className={classes.state}>
    <p className={classes.title}>{title}</p>
    {children && <div className={classes.text}>{children}</div>}
  </div>
);

/** Shown if no row matches the filters. */
export const NoMatchState = ({ onClear }: { onClear: () => void }) => (
  <div className={classes.state}>
    <p className={classes.title}>Nothing matches these filters</p>
    <Button variant="default" onClick={onClear}>
      Clear filters
    </Button>
  </div>
);

type ErrorStateProps = { error: unknown; onRetry?: () => unknown };

/** The service's message, the request id for its log, and a next step. */
export const ErrorState = ({ error, onRetry }: ErrorStateProps) => {
  const { desc, requestId, detail } = toApiError(error);
  return (
    <div className={classes.state} role="alert" data-tone="bad">
      <p className={classes.title}>{desc}</p>
      {detail.length > 0 && (
        <ul className={classes.text}>
          {detail.map(({ loc, msg }) => (
            <li key={`${loc.join('.')} ${msg}`}>
              {loc.slice(1).join('.')}: {msg}
            </li>
          ))}
        </ul>
      )}
      {requestId && (
        <p className={classes.text}>
          Request <CopyableId id={requestId} label="request id" />
        </p>
      )}
      {onRetry && (
        <Button variant="default" onClick={() => void onRetry()}>
          Try again
        </Button>
      )}
    </div>
  );
};

// How answers are kept and when a failed question is asked again.
import { QueryClient } from '@tanstack/react-query';
import { toApiError } from './api-error.ts';

const MOST_ATTEMPTS = 3;
/** Repeated when the service says "later", or when no answer came; a refusal is final. */
const REPEATED_STATUSES = [0, 429, 502, 503, 504];

const shouldRetry = (failures: number, error: unknown): boolean => {
  const { status, code } = toApiError(error);
  return failures < MOST_ATTEMPTS && code !== 'page_error' && REPEATED_STATUSES.includes(status);
};

/** Never earlier than the service asks for. */
const chooseDelay = (failures: number, error: unknown): number =>
  Math.max(toApiError(error).retryAfterMs ?? 0, 500 * 2 ** failures);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: shouldRetry,
      retryDelay: chooseDelay,
      staleTime: 10_000,
      // A long list would be read again page by page; live pages poll by themselves.
      refetchOnWindowFocus: false,
    },
    mutations: { retry: false },
  },
});

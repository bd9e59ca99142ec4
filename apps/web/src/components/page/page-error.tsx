import type { ErrorComponentProps } from '@tanstack/react-router';
import { useRouter } from '@tanstack/react-router';
import { ErrorState } from '../states/error-state.tsx';
import { Page } from './page.tsx';

/** Stands in for a page that threw while it was loaded or drawn. */
export const PageError = ({ error, reset }: ErrorComponentProps) => {
  const router = useRouter();
  const retry = () => {
    reset();
    return router.invalidate();
  };
  return (
    <Page title="This page could not be shown">
      <ErrorState error={error} onRetry={retry} />
    </Page>
  );
};

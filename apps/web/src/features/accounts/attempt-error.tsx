import { Alert } from '@mantine/core';
import { toApiError } from '../../api/api-error.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { formatWait } from './use-wait.ts';

type AttemptErrorProps = { error: unknown; fields: readonly string[]; waitSeconds: number };

/** What went wrong with an attempt that the service counts; after too many of them, how long to wait. */
export const AttemptError = ({ error, fields, waitSeconds }: AttemptErrorProps) => {
  if (!error || toApiError(error).code !== 'rate_limited') {
    return <FormError error={error} fields={fields} />;
  }
  return (
    <Alert color="yellow" role="alert" title="Too many attempts">
      {waitSeconds > 0 ? (
        <span className="numbers">Try again in {formatWait(waitSeconds)}.</span>
      ) : (
        'You can try again now.'
      )}
    </Alert>
  );
};

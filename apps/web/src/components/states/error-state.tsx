import { Button } from '@mantine/core';
import { toApiError } from '../../api/api-error.ts';
import { CopyableId } from '../ids/copyable-id.tsx';
import classes from './states.module.css';

type ErrorStateProps = { error: unknown; onRetry?: () => unknown };

/** The service's reason in full, the id under which its log has the request, and a way on. */
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

// Rate-limited forms: sign-in and passwords.
import { Alert } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { toApiError } from '../../api/errors.ts';
import type { ServerFormOptions } from '../../ui/forms.tsx';
import { FormError, useServerForm } from '../../ui/forms.tsx';

/** A form whose attempts the service limits, such as a password. After too many attempts it shows how long to wait. */
export const useAttemptForm = <Values extends Record<string, unknown>, Answer>(
  options: ServerFormOptions<Values, Answer>,
) => {
  const server = useServerForm(options);
  const waitSeconds = useWaitSeconds(server.error);
  return {
    ...server,
    isWaiting: waitSeconds > 0,
    /** The error, shown above the fields. */
    failure: <Failure error={server.error} fields={server.fields} waitSeconds={waitSeconds} />,
  };
};

const SECOND_MS = 1000;

/** Seconds until the service accepts another attempt; 0 when it does. */
const useWaitSeconds = (error: unknown): number => {
  const waitMs = error ? (toApiError(error).retryAfterMs ?? 0) : 0;
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const end = error ? Date.now() + waitMs : 0;
    const count = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / SECOND_MS)));
    count();
    if (waitMs === 0) return;
    const timer = setInterval(count, SECOND_MS);
    return () => clearInterval(timer);
  }, [error, waitMs]);
  return left;
};

type FailureProps = { error: unknown; fields: readonly string[]; waitSeconds: number };

const Failure = ({ error, fields, waitSeconds }: FailureProps) => {
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

/** "4 min 20 s". */
const formatWait = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
};

/** The limits of the service, which checks them as well. */
const LENGTH = { min: 12, max: 128 };

export const PASSWORD_HINT = `At least ${LENGTH.min} characters. A few words are easy to remember.`;

/** The problem of a new password; null when there is none. */
export const checkPassword = (password: string): string | null => {
  if (password.length < LENGTH.min) {
    return `This has ${password.length} characters: use at least ${LENGTH.min}.`;
  }
  return password.length > LENGTH.max ? `Use at most ${LENGTH.max} characters.` : null;
};

/** For the first field of a page before sign-in, which has the focus when the page opens. */
export const useFirstFocus = () => {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return field;
};

// Notifications, for results that are not visible where the user acted.
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { describeFailure, toApiError } from './errors.ts';

export const notifyDone = (message: string): void => {
  notifications.show({ message, autoClose: 4000 });
};

/** With a link to the result. Remains visible long enough to be reached by keyboard. */
export const notifyWithLink = (message: ReactNode): void => {
  notifications.show({ message, autoClose: 15_000 });
};

/** Remains visible until the user closes it, because it may contain the request id that support needs. */
export const notifyError = (error: unknown, title = 'That did not work'): void => {
  const facts = toApiError(error);
  const reason = describeFailure(facts);
  const message = facts.requestId ? `${reason} (request ${facts.requestId})` : reason;
  notifications.show({ title, message, color: 'red', autoClose: false });
};

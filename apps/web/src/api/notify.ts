// Notifications, for results that are not visible where the user acted.
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { toApiError } from './errors.ts';

export const notifyDone = (message: string): void => {
  notifications.show({ message, autoClose: 4000 });
};

/** With a link to the result. Remains visible long enough to be reached by keyboard. */
export const notifyWithLink = (message: ReactNode): void => {
  notifications.show({ message, autoClose: 15_000 });
};

/** Remains visible until the user closes it, because it may contain the request id that support needs. */
export const notifyError = (error: unknown, title = 'That did not work'): void => {
  const { desc, requestId } = toApiError(error);
  const message = requestId ? `${desc} (request ${requestId})` : desc;
  notifications.show({ title, message, color: 'red', autoClose: false });
};

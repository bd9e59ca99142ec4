// Short messages in the corner, for what happened out of sight of the form that caused it.
import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';
import { toApiError } from './errors.ts';

export const notifyDone = (message: string): void => {
  notifications.show({ message, autoClose: 4000 });
};

/** With a link to what was done: stays long enough to be reached by keyboard. */
export const notifyWithLink = (message: ReactNode): void => {
  notifications.show({ message, autoClose: 15_000 });
};

/** Stays until it is closed: it may hold the request id that support needs. */
export const notifyError = (error: unknown, title = 'That did not work'): void => {
  const { desc, requestId } = toApiError(error);
  const message = requestId ? `${desc} (request ${requestId})` : desc;
  notifications.show({ title, message, color: 'red', autoClose: false });
};

// Finds out whether DATABASE_URL leads to a database, before anything depends on it.
import { StartError } from './start-error.ts';

/** Throws StartError with the address and the reason; the password is never part of it. */
export const checkConnection = async (url: string, ask: () => Promise<unknown>): Promise<void> => {
  try {
    await ask();
  } catch (error) {
    const { host, pathname } = new URL(url);
    throw new StartError(
      `DATABASE_URL: cannot use the database ${host}${pathname}: ${reasonOf(error)}.`,
      { cause: error },
    );
  }
};

/** A name with several addresses fails once per address, and the whole has no message of its own. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
};

import { createStoredValue } from './stored-value.ts';

/** The sandbox that was open last: the one to offer on pages that belong to none. Empty when there is none. */
export const lastSandbox = createStoredValue<string>('sandbox', '', (text): text is string =>
  /^[0-9a-f-]{36}$/.test(text),
);

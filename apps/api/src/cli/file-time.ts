/** A time for the name of a file, such as `2026-11-28T08-14-41Z`. */
export const toFileTime = (time: Date): string =>
  time
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-');

/**
 * Bad input, or something that does not work here: the message is one sentence for a person, with file and line
 * where there are any. The command line prints it and exits with 2.
 */
export class Problem extends Error {
  override name = 'Problem';
}

/** What an unknown error says, in one line. */
export const sentenceOf = (error: unknown): string => {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.split('\n')[0]?.trim() || 'an unknown error';
};

/** What an answer of the join means where its body does not say it in a sentence. */
export const STATUS_WORDS: Record<number, string> = {
  200: 'The player has a seat.',
  422: 'The request is not valid: see the fields.',
};

// The answers of one request as JSON. tRPC writes all of an answer in one step: what it gets is a ticket in place of each result, and the
// text of the result comes into that place afterwards.
import { randomUUID } from 'node:crypto';

export type AnswerTexts = {
  /** Gives the ticket of a text. */
  keep(text: string): string;
  /** What tRPC has written, with the texts. */
  fill(written: string): string;
};

export const createAnswerTexts = (): AnswerTexts => {
  const texts: string[] = [];
  // Nobody else knows it, so that nothing in an answer looks like a ticket.
  const id = randomUUID();
  return {
    keep: (text) => `${id} ${texts.push(text) - 1}`,
    fill: (written) =>
      written.replace(new RegExp(`"${id} (\\d+)"`, 'g'), (_, index) => texts[index] ?? 'null'),
  };
};

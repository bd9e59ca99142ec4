// Inserts results that are serialised in parts into a tRPC response. tRPC serialises a response in one step: it gets a
// placeholder for each result, which the text of the result replaces afterwards.
import { randomUUID } from 'node:crypto';

export type AnswerTexts = {
  /** Returns the placeholder of a text. */
  keep(text: string): string;
  /** Replaces the placeholders in what tRPC has written. */
  fill(written: string): string;
};

export const createAnswerTexts = (): AnswerTexts => {
  const texts: string[] = [];
  // Random, so that no data can look like a placeholder.
  const id = randomUUID();
  return {
    keep: (text) => `${id} ${texts.push(text) - 1}`,
    fill: (written) =>
      written.replace(new RegExp(`"${id} (\\d+)"`, 'g'), (_, index) => texts[index] ?? 'null'),
  };
};

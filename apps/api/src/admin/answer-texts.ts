// Inserts results that are serialised in parts into a tRPC response. tRPC serialises a response in one step: it gets a
// placeholder for each result, which the text of the result replaces afterwards.
import { randomUUID } from 'node:crypto';

export type AnswerTexts = {
  /** Returns the placeholder of a text. */
  keep(text: string): string;
  /** Replaces the placeholders in what tRPC has written. */
  fill(written: string): string;
};

/** Random and never sent, so that no data can look like a placeholder. */
const ID = randomUUID();
const PLACEHOLDERS = new RegExp(`"${ID} (\\d+)"`, 'g');

export const createAnswerTexts = (): AnswerTexts => {
  const texts: string[] = [];
  return {
    keep: (text) => `${ID} ${texts.push(text) - 1}`,
    fill: (written) => written.replace(PLACEHOLDERS, (_, index) => texts[index] ?? 'null'),
  };
};

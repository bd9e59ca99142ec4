// Reads a command's words, and turns what is wrong with them into one sentence.
import type { ParseArgsOptionsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import { Problem, sentenceOf } from '../problem.ts';

/** Throws Problem for an unknown option or one without its value. */
export const readOptions = <Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const message = sentenceOf(error).replace(/\. To specify.*$/, '');
    throw new Problem(`${message.replace(/\.$/, '')}. Use --help to see what there is.`);
  }
};

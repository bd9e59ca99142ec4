// Reads a command's words, and turns what is wrong with them into one sentence.
import type { ParseArgsOptionsConfig } from 'node:util';
import { parseArgs } from 'node:util';
import { Problem, sentenceOf } from '../findings.ts';

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

// Where a command writes to. Results go to standard output, progress and problems to standard error.
export type Terminal = {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Whether standard output understands colours and a person looks at it. */
  colours: boolean;
  /** Whether a line of standard error may be written over. */
  rewrites: boolean;
  env: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C and other signals that end the process. Everything that was started must end then. */
  signal: AbortSignal;
};

type Progress = { say: (sentence: string) => void; end: () => void };

const ERASE_LINE = '\r\u001B[2K';

/** One line that is written over at a terminal; elsewhere only what lasts is said, a line each. */
export const createProgress = ({ err, rewrites }: Terminal): Progress => ({
  say: (sentence) => err(rewrites ? `${ERASE_LINE}${sentence}` : `${sentence}\n`),
  end: () => {
    if (rewrites) err(ERASE_LINE);
  },
});

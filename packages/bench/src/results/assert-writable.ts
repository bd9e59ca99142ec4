// What a run writes at its end is tried before it measures for half an hour.
import { access, mkdir, open, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { UsageError } from '../options.ts';
import { replaceGenerated } from './write-markdown.ts';

/** Throws UsageError with a sentence. Leaves the file as it is, and none where there was none. */
export const assertJsonWritable = (file: string): Promise<void> =>
  explaining(`--json: ${file} cannot be written`, async () => {
    await mkdir(dirname(file), { recursive: true });
    const isNew = await access(file).then(
      () => false,
      () => true,
    );
    await (await open(file, 'a')).close();
    if (isNew) await rm(file);
  });

/** Throws UsageError with a sentence, also where the page has lost its markers. */
export const assertPageWritable = (file: string): Promise<void> =>
  explaining(`${file} cannot be written, which --no-markdown leaves as it is`, async () => {
    replaceGenerated(await readFile(file, 'utf8'), '');
    await (await open(file, 'r+')).close();
  });

const explaining = async (sentence: string, work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    throw new UsageError(`${sentence}: ${error instanceof Error ? error.message : error}`);
  }
};

// One history as files: a line of JSON per version, oldest first, and beside it the pages of a walk that is not over.
//
//   <folder>/item.jsonl          what is mirrored
//   <folder>/item.walk/000000    pages of a walk, newest version first
//
// The walk goes backwards in time. Its pages join the mirror together when it has met what is known, so that a run
// that is interrupted leaves no gap. Files appear whole, by renaming.
import {
  appendFile,
  copyFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import type { ItemTransaction, XpTransaction } from '@muster/client';

export type Transaction = ItemTransaction | XpTransaction;

/** A page of a walk, without the versions that are mirrored already. */
export type WalkedPage = {
  transactions: readonly Transaction[];
  /** The cursor of the next page; absent when the walk is complete. */
  cursor?: string;
};

export class HistoryStore {
  readonly #file: string;
  readonly #walk: string;

  /** One process at a time may write to a folder. */
  constructor(folder: string, kind: 'item' | 'xp') {
    this.#file = join(folder, `${kind}.jsonl`);
    this.#walk = join(folder, `${kind}.walk`);
  }

  /** The `version_id` of the newest version that is mirrored. */
  async findNewestVersion(): Promise<string | undefined> {
    const bytes = await readIfPresent(this.#file);
    if (bytes.length === 0) return undefined;
    const lastLine = bytes.subarray(bytes.lastIndexOf('\n', -2) + 1).toString();
    return (JSON.parse(lastLine) as Transaction).version_id;
  }

  /** The last page of the walk that an earlier run has left. */
  async findLastPage(): Promise<WalkedPage | undefined> {
    const last = (await this.#listPages()).at(-1);
    return last === undefined ? undefined : readPage(last);
  }

  async savePage(page: WalkedPage): Promise<void> {
    await mkdir(this.#walk, { recursive: true });
    const number = (await this.#listPages()).length;
    await writeWhole(join(this.#walk, String(number).padStart(6, '0')), JSON.stringify(page));
  }

  /** Gives up the walk; what is mirrored stays. */
  async dropWalk(): Promise<void> {
    await rm(this.#walk, { recursive: true, force: true });
  }

  /** Adds the walked versions to the mirror, oldest first, and answers how many they are. Safe to repeat. */
  async finishWalk(): Promise<number> {
    const pages = await this.#listPages();
    const count = (await this.#isMirrored(pages)) ? 0 : await this.#append(pages.toReversed());
    await this.dropWalk();
    return count;
  }

  /** True when an earlier run got as far as renaming the new mirror, but not to dropping the walk. */
  async #isMirrored([first]: readonly string[]): Promise<boolean> {
    if (first === undefined) return true;
    const newest = (await readPage(first)).transactions[0];
    return newest === undefined || newest.version_id === (await this.findNewestVersion());
  }

  async #append(pages: readonly string[]): Promise<number> {
    const draft = `${this.#file}.new`;
    await writeFile(draft, '');
    await copyFile(this.#file, draft).catch(ignoreMissing);
    let count = 0;
    for (const page of pages) {
      const { transactions } = await readPage(page);
      const lines = transactions.toReversed().map((one) => `${JSON.stringify(one)}\n`);
      await appendFile(draft, lines.join(''));
      count += transactions.length;
    }
    await rename(draft, this.#file);
    return count;
  }

  async #listPages(): Promise<string[]> {
    const names = await readdir(this.#walk).catch(ignoreMissing);
    const pages = (names ?? []).filter((name) => !name.endsWith('.new'));
    return pages.sort().map((name) => join(this.#walk, name));
  }
}

const readPage = async (path: string): Promise<WalkedPage> =>
  JSON.parse(await readFile(path, 'utf8')) as WalkedPage;

const writeWhole = async (path: string, text: string): Promise<void> => {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
};

const readIfPresent = async (path: string): Promise<Buffer> =>
  (await readFile(path).catch(ignoreMissing)) ?? Buffer.alloc(0);

const ignoreMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

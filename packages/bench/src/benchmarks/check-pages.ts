// What the pages of a history must say, asked once before anything is measured.
import type { HistorySize } from '../history/history-data.ts';
import {
  countItemVersions,
  RECORDS_PER_RARE_WORD,
  VERSIONS_PER_RECORD,
} from '../history/history-data.ts';
import type { Page, PageName } from '../history/history-pages.ts';
import { PAGE_SIZE, PAGES } from '../history/history-pages.ts';
import { signToken } from '../requests/player-token.ts';
import type { BenchContext } from './bench-context.ts';
import type { HistoryAnswer, HistoryVariant } from './history-variants.ts';

export const signReaderToken = ({ secret, expiresAt }: BenchContext): string =>
  signToken({ sub: 'bench-reader', permissions: ['sandbox:config:view'] }, secret, expiresAt);

const expectedTotals = (size: HistorySize): Record<PageName, number> => ({
  first: countItemVersions(size),
  deep: countItemVersions(size),
  item: VERSIONS_PER_RECORD,
  name: VERSIONS_PER_RECORD * RECORDS_PER_RARE_WORD,
});

/** Of each kind, the first page and the last one: all of them would take a slow variant minutes. */
export const checkPages = async (
  context: BenchContext,
  variant: HistoryVariant,
  size: HistorySize,
): Promise<void> => {
  const totals = expectedTotals(size);
  for (const name of PAGES) {
    const where = { benchmark: `history/${name}`, variant: variant.name };
    const [first, ...others] = variant.pages[name];
    for (const page of [first, ...others.slice(-1)]) {
      const answer = page && (await readPage(context, variant, page));
      const { results } = context;
      results.check(where, 'the total is exact', answer?.total === totals[name]);
      results.check(where, 'a page is full', answer?.ids.length === PAGE_SIZE);
      const isExpected = page && answer?.ids[0] === variant.idOf(page.firstSeq);
      results.check(where, 'the newest comes first', isExpected === true);
    }
  }
};

/** Null, with a word at the terminal, where the answer is none. */
const readPage = async (
  context: BenchContext,
  { name, server, readAnswer }: HistoryVariant,
  { path }: Page,
): Promise<HistoryAnswer | null> => {
  const headers = { authorization: `Bearer ${signReaderToken(context)}` };
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers });
  const text = await response.text();
  if (response.status === 200) return readAnswer(JSON.parse(text));
  context.say(`! ${name} answered ${response.status}: ${text.slice(0, 300)}`);
  return null;
};

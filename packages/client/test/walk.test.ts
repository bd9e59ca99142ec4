import { expect, test } from 'vitest';
import { SANDBOX_ID } from './start/examples.ts';
import type { Step } from './start/scripted-server.ts';
import { startClient } from './start/start-client.ts';

const page = (ids: string[], cursor?: string): Step => ({
  body: {
    transactions: ids.map((version_id) => ({ version_id })),
    page_meta: { page_size: 2, total: 5, ...(cursor && { cursor }) },
  },
});
const THREE_PAGES: [Step, Step, Step] = [
  page(['1', '2'], 'c+1'),
  page(['3', '4'], 'c/2'),
  page(['5']),
];
const request = { kind: 'item', sandbox_id: SANDBOX_ID, name: 'sword', page_size: 2 } as const;

test('yields every transaction once, in order, following the cursors with the same filters', async () => {
  const { client, received } = await startClient(THREE_PAGES);
  const seen = await Array.fromAsync(client.walkHistory(request), ({ version_id }) => version_id);
  expect(seen).toEqual(['1', '2', '3', '4', '5']);
  const queries = received.map(({ target }) => target.split('?')[1]);
  expect(queries).toEqual([
    'name=sword&page_size=2',
    'name=sword&page_size=2&cursor=c%2B1',
    'name=sword&page_size=2&cursor=c%2F2',
  ]);
});

test('yields pages where these are asked for', async () => {
  const { client } = await startClient(THREE_PAGES);
  const pages = await Array.fromAsync(client.walkHistory({ ...request, kind: 'xp' }).pages());
  expect(pages.map(({ transactions }) => transactions.length)).toEqual([2, 2, 1]);
  expect(pages[0]?.page_meta).toEqual({ page_size: 2, total: 5, cursor: 'c+1' });
});

test('begins at the cursor that it is given', async () => {
  const { client, received } = await startClient([page(['5'])]);
  await Array.fromAsync(client.walkHistory({ ...request, cursor: 'c/2' }));
  expect(received.map(({ target }) => target)).toEqual([expect.stringContaining('cursor=c%2F2')]);
});

test('asks for no page that the caller does not get to', async () => {
  const { client, received } = await startClient(THREE_PAGES);
  for await (const { version_id } of client.walkHistory(request)) {
    if (version_id === '2') break;
  }
  expect(received).toHaveLength(1);
});

test('continues after a page that had to be requested twice, without repeating a transaction', async () => {
  const [first, second, third] = THREE_PAGES;
  const { client } = await startClient([first, 'cut', second, 'drop', third]);
  const seen = await Array.fromAsync(client.walkHistory(request), ({ version_id }) => version_id);
  expect(seen).toEqual(['1', '2', '3', '4', '5']);
});

test('stops with an error where the cursors go in a circle', async () => {
  const { client } = await startClient([page(['1'], 'a'), page(['2'], 'b'), page(['3'], 'a')]);
  await expect(Array.fromAsync(client.walkHistory(request))).rejects.toMatchObject({
    name: 'UnexpectedAnswerError',
  });
});

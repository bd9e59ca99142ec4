// Writes the pact: the mirror talks to Pact's mock server as it would to the service.
import { join } from 'node:path';
import type { Fetch } from '@muster/client';
import { createMusterClient } from '@muster/client';
import { PactV4 } from '@pact-foundation/pact';
import { expect, test } from 'vitest';
import type { HistoryStore } from '../src/history-store.ts';
import { mirrorHistory } from '../src/mirror-history.ts';
import type { Interaction } from './interactions.ts';
import { AUTHORIZATION, HEADERS, INTERACTIONS, KNOWN, SANDBOX_ID } from './interactions.ts';
import { makeStore, readVersions } from './temporary-store.ts';

const pact = new PactV4({
  consumer: 'history-mirror',
  provider: 'muster',
  dir: join(import.meta.dirname, '../pacts'),
  logLevel: 'error',
});

type Mirror = (store: HistoryStore) => Promise<number>;

/** The mirror's side of a test: it gets a function that mirrors what the interaction is about. */
const meet = (
  { description, states, kind, query, status, body }: Interaction,
  check: (mirror: Mirror) => Promise<void>,
) => {
  const interaction = pact.addInteraction().uponReceiving(description);
  for (const [name, parameters] of states) interaction.given(name, parameters);
  return interaction
    .withRequest('GET', `/v1/history/sandbox/${SANDBOX_ID}/${kind}/`, (builder) => {
      builder.headers({ Authorization: AUTHORIZATION }).query(query);
    })
    .willRespondWith(status, (builder) => {
      builder.headers(HEADERS as unknown as Record<string, string>).jsonBody(body);
    })
    .executeTest(({ url }) => {
      const fetch = allowOneRequest();
      const retry = { budgetMs: 0 };
      const muster = createMusterClient({ baseUrl: url, token: 'token', retry, fetch });
      const history = { sandbox_id: SANDBOX_ID, kind, page_size: 2 };
      return check((store) => mirrorHistory(muster, history, store));
    });
};

/** An interaction is one request: what a run would ask next does not reach the mock server. */
const allowOneRequest = (): Fetch => {
  let isUsed = false;
  return (url, init) => {
    if (isUsed) return Promise.reject(new TypeError('One request only.'));
    isUsed = true;
    return fetch(url, init);
  };
};

test('adds what is newer than the newest version it has, and reads no further', async () => {
  const { store, file } = makeStore('item');
  await store.savePage({ transactions: [{ version_id: KNOWN }] as never });
  await store.finishWalk();
  await meet(INTERACTIONS.newVersions, async (mirror) => {
    expect(await mirror(store)).toBe(1);
    expect(readVersions(file)).toEqual([KNOWN, '0198c0de-0000-7000-8000-000000000003']);
  });
});

test('ends where the history ends', async () => {
  const { store, file } = makeStore('xp');
  await meet(INTERACTIONS.wholeHistory, async (mirror) => {
    expect(await mirror(store)).toBe(1);
    expect(readVersions(file)).toEqual([KNOWN]);
  });
});

test('has nothing to do in an empty sandbox', async () => {
  const { store } = makeStore('item');
  await meet(INTERACTIONS.emptyHistory, async (mirror) => expect(await mirror(store)).toBe(0));
});

test('gives up a walk whose cursor the service does not know', async () => {
  const { store } = makeStore('item');
  await store.savePage({ transactions: [{ version_id: KNOWN }] as never, cursor: '1' });
  await meet(INTERACTIONS.foreignCursor, async (mirror) => {
    // It got as far as asking for the first page of a new walk.
    await expect(mirror(store)).rejects.toMatchObject({ kind: 'network' });
    expect(await store.findLastPage()).toBeUndefined();
  });
});

test('stops with the reason when its account may not see the history', async () => {
  const { store } = makeStore('item');
  await meet(INTERACTIONS.forbidden, async (mirror) => {
    await expect(mirror(store)).rejects.toMatchObject({ code: 'insufficient_permissions' });
  });
});

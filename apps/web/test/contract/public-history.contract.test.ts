// Writes the pact: the public view sends its requests to Pact's mock server instead of the service.
import { PactV4 } from '@pact-foundation/pact';
import { expect, test } from 'vitest';
import type {
  PublicAnswer,
  PublicRequest,
} from '../../src/features/public-api/read-public-history.ts';
import { readPublicHistory } from '../../src/features/public-api/read-public-history.ts';
import { PACTS } from './pacts-folder.ts';
import type { AnyInteraction } from './public-history-interactions.ts';
import {
  AUTHORIZATION,
  INTERACTIONS,
  ITEM_ID,
  JSON_TYPE,
  SANDBOX_ID,
  XP_ID,
} from './public-history-interactions.ts';

const pact = new PactV4({
  consumer: 'admin-web',
  provider: 'muster',
  dir: PACTS,
  logLevel: 'error',
});

/** Sends a request to the mock server, which accepts only the interaction's request. */
const read = (
  { description, states, kind, query, isAnonymous, status, body }: AnyInteraction,
  asked: Partial<PublicRequest>,
): Promise<PublicAnswer> => {
  const interaction = pact.addInteraction().uponReceiving(description);
  for (const [name, parameters] of states) interaction.given(name, parameters);
  return interaction
    .withRequest('GET', `/v1/history/sandbox/${SANDBOX_ID}/${kind}/`, (builder) => {
      if (!isAnonymous) builder.headers({ Authorization: AUTHORIZATION });
      builder.query(query);
    })
    .willRespondWith(status, (builder) => {
      const headers = { 'Content-Type': JSON_TYPE };
      builder.headers(headers as unknown as Record<string, string>).jsonBody(body);
    })
    .executeTest(({ url: baseUrl }) =>
      readPublicHistory({
        baseUrl,
        sandbox: SANDBOX_ID,
        kind,
        ids: [],
        legacyIds: [],
        token: isAnonymous ? undefined : 'token',
        ...asked,
      }),
    ) as Promise<PublicAnswer>;
};

test('shows a page as received, with the cursor to the next page', async () => {
  const { exchange, page } = await read(INTERACTIONS.filteredPage, {
    ids: [ITEM_ID],
    legacyIds: [7],
    name: 'axe',
    sortOrder: 'asc',
    pageSize: 2,
  });
  expect(exchange).toMatchObject({ method: 'GET', status: 200 });
  expect(page).toMatchObject(JSON.parse(exchange.body ?? ''));
  expect(page?.page_meta).toEqual({ page_size: 2, total: 3, cursor: 'eyJwIjoyfQ' });
});

test('recognises the last page, also of Xp tables', async () => {
  const { page } = await read(INTERACTIONS.lastPage, {});
  expect(page?.transactions).toMatchObject([{ version: { xp_id: XP_ID } }]);
  expect(page?.page_meta.cursor).toBeUndefined();
});

test('shows the problems of a request that is not valid', async () => {
  const { error, exchange } = await read(INTERACTIONS.foreignCursor, { cursor: '1' });
  expect(exchange.status).toBe(422);
  expect(error).toMatchObject({ detail: [{ loc: ['query', 'cursor'] }] });
});

test('shows the error that programs without a token receive', async () => {
  const { error, exchange } = await read(INTERACTIONS.noCredential, {});
  expect(error).toMatchObject({ code: 'auth_missing', authSuccess: false });
  expect(JSON.parse(exchange.body ?? '')).toMatchObject({ auth_success: false });
});

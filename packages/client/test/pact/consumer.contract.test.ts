// What this client relies on: it talks to Pact's mock server here, which writes the pact.
import { join } from 'node:path';
import { PactV4 } from '@pact-foundation/pact';
import { describe, expect, test } from 'vitest';
import { createMusterClient } from '../../src/index.ts';
import { HISTORY_INTERACTIONS } from './history-interactions.ts';
import type { Interaction } from './interaction.ts';
import { JOIN_INTERACTIONS } from './join-interactions.ts';
import { AUTHORIZATION } from './matchers.ts';

const pact = new PactV4({
  consumer: 'muster-client',
  provider: 'muster',
  dir: join(import.meta.dirname, '../../pacts'),
  logLevel: 'error',
});

const INTERACTIONS = [...JOIN_INTERACTIONS, ...HISTORY_INTERACTIONS];

const describeToPact = ({ description, states, request, response, isAnonymous }: Interaction) => {
  const interaction = pact.addInteraction().uponReceiving(description);
  for (const [name, parameters] of states) interaction.given(name, parameters);
  return interaction
    .withRequest(request.method, request.path, (builder) => {
      if (!isAnonymous) builder.headers({ Authorization: AUTHORIZATION });
      if (request.query) builder.query(request.query);
      if (request.body) builder.jsonBody(request.body);
    })
    .willRespondWith(response.status, (builder) => {
      builder.headers(response.headers as Record<string, string>).jsonBody(response.body);
    });
};

describe('the client understands', () => {
  test.each(INTERACTIONS)('$description', async (interaction) => {
    const { isAnonymous, call, outcome } = interaction;
    await describeToPact(interaction).executeTest(async ({ url }) => {
      const client = createMusterClient({
        baseUrl: url,
        token: isAnonymous ? undefined : 'token',
        retry: { budgetMs: 0 },
      });
      expect(await call(client).catch((error: unknown) => error)).toMatchObject(outcome);
    });
  });
});

// One interaction of a consumer, in the words of pact-js.
import { MatchersV3, Pact } from '@pact-foundation/pact';

const SANDBOX = '0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a10';

export const declareHistory = (description: string, kind: 'item' | 'xp') =>
  new Pact({
    consumer: 'history-mirror',
    provider: 'muster',
    dir: process.env.CONSUMER_PACTS ?? 'pacts',
    logLevel: 'error',
  })
    .addInteraction()
    .given('an empty history')
    .uponReceiving(description)
    .withRequest('GET', `/v1/history/sandbox/${SANDBOX}/${kind}/`)
    .willRespondWith(200, (answer) => {
      answer.jsonBody({ page_meta: { total: MatchersV3.integer(0) } });
    });

export const readHistory = (kind: 'item' | 'xp') => async (server: { url: string }) => {
  const response = await fetch(`${server.url}/v1/history/sandbox/${SANDBOX}/${kind}/`);
  await response.json();
};

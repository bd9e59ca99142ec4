import { expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../src/local-server.ts';
import { runKit } from './run-kit.ts';

const LIST = 'pb:provider-pacts-for-verification';

/** A broker that gives one answer to each path; `cut` breaks off in the middle. */
const startBroker = async (answers: Record<string, unknown>): Promise<string> => {
  const { url, close } = await startLocalServer(({ url = '' }, response) => {
    const answer = answers[url.split('?')[0] ?? ''];
    if (answer !== 'cut') return void response.end(JSON.stringify(answer));
    response.writeHead(200, { 'content-length': '1000' });
    response.write('{"_links":', () => response.destroy());
  });
  onTestFinished(close);
  return url;
};

const withList = (pacts: unknown) => ({
  '/': { _links: { [LIST]: { href: '/list' } } },
  '/list': { _embedded: { pacts } },
});

it.each<[string, Record<string, unknown>, RegExp]>([
  ['breaks off', { '/': 'cut' }, /does not answer/],
  ['has a link that is a number', { '/': { _links: { [LIST]: { href: 5 } } } }, /too old/],
  ['has no links', { '/': { _links: null } }, /too old/],
  ['lists nothing', withList([null]), /without a link/],
  ['lists no list', withList('none'), /no list of pacts/],
  ['lists a file', withList([{ _links: { self: { href: '/etc/passwd' } } }]), /http:.*passwd/],
])('a broker that %s is bad input, said in one sentence', async (_name, answers, sentence) => {
  const { code, out, err } = await runKit(['verify', '--broker', await startBroker(answers)]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(sentence);
});

it.each<[string, unknown]>([
  ['text', { summary: { deployable: 'true', reason: 5 }, notices: [null] }],
  ['a list', { summary: [], notices: 'x' }],
])('a matrix with %s in place of an answer is no yes', async (_name, matrix) => {
  const url = await startBroker({ '/matrix': matrix });
  const question = ['--pacticipant', 'a', '--version', '1'];
  expect((await runKit(['can-i-deploy', '--broker', url, ...question])).code).toBe(1);
});

it('a broker in the environment is used when no pact is named, and its password is not printed', async () => {
  const env = { PACT_BROKER_BASE_URL: 'http://bob:hunter2@127.0.0.1:9' };
  const { code, err } = await runKit(['verify'], env);
  expect(code).toBe(2);
  expect(err).toContain('http://127.0.0.1:9');
  expect(err).not.toContain('hunter2');
});

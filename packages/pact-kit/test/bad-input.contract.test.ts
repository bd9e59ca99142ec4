import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, inject, it } from 'vitest';
import { runKit } from './run-kit.ts';
import { temporaryFolder } from './verify-for-test.ts';

const { url, secret } = inject('provider');

/** Against a service that runs already. */
const verifyAt = (providerUrl: string, ownSecret: string, ...args: string[]) =>
  runKit(['verify', ...args, '--provider-url', providerUrl, '--secret', ownSecret]);

const inFolder = (files: Record<string, string>): string => {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
};

const BROKEN = '{\n  "consumer": {"name": "a"},\n  "provider": }\n';

describe('bad input is one clear sentence and exit code 2', () => {
  it.each<[string, () => string[], RegExp]>([
    ['no command that exists', () => ['verfy'], /no command "verfy"/],
    ['no pact', () => ['verify'], /Name a pact file/],
    ['an unknown option', () => ['verify', '--repoter', 'x'], /--repoter/],
    ['an unknown reporter', () => ['verify', 'x', '--reporter', 'xml'], /no reporter "xml"/],
    [
      'two reports on one output',
      () => ['verify', 'x', '--reporter', 'json', '--reporter', 'text'],
      /Only one report/,
    ],
    [
      'a file that is not there',
      () => ['verify', 'none.json'],
      /none\.json: There is no such file/,
    ],
    ['an empty folder', () => ['verify', inFolder({})], /contains no pact/],
    [
      'broken JSON',
      () => ['verify', inFolder({ 'a.json': BROKEN })],
      /a\.json:3:15: The file is not valid JSON/,
    ],
    [
      'a pact without an interaction',
      () => ['verify', inFolder({ 'a.json': pactOf('muster', []) })],
      /a\.json: The pact has no interaction/,
    ],
    [
      'a provider that is misspelt',
      () => ['verify', inFolder({ 'a.json': pactOf('mustre') })],
      /a\.json:\d+:\d+: The provider is called "mustre".*--provider/,
    ],
    [
      'a pact of another provider, before a deployment',
      () => ['can-i-deploy', inFolder({ 'a.json': pactOf('payments') }), '--results', 'none'],
      /only about payments: name the service with --provider/,
    ],
    [
      'a host that does not answer',
      () => ['verify', 'http://127.0.0.1:9/pact.json'],
      /127\.0\.0\.1:9/,
    ],
    ['a URL that is none', () => ['verify', 'ftp://host/pact.json'], /not an http or https URL/],
    ['an unknown format', () => ['states', '--format', 'xml'], /no format "xml"/],
    [
      'results to publish without a version',
      () => ['verify', '--broker', 'http://127.0.0.1:9', '--publish'],
      /^--publish needs --provider-version\.$/m,
    ],
    ['one contract', () => ['diff', 'a.json'], /two contracts/],
    ['a contract that is not there', () => ['diff', 'a.json', 'b.json'], /a\.json/],
    [
      'a contract that is broken YAML',
      () => ['diff', join(inFolder({ 'a.yaml': 'a: [\n' }), 'a.yaml'), 'b'],
      /a\.yaml:\d+: /,
    ],
    ['no results folder', () => ['can-i-deploy', 'x.json'], /--results/],
    [
      'a selector that is no JSON',
      () => ['verify', '--broker', url, '--selector', '{'],
      /--selector \{ is no JSON/,
    ],
    [
      'results without a version',
      () => ['verify', '--broker', url, '--publish'],
      /--provider-version/,
    ],
  ])('%s', async (_name, args, sentence) => {
    const { code, out, err } = await runKit(args());
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(sentence);
    expect(err.trim().split('\n')).toHaveLength(1);
  });

  it('a service that does not answer, or takes other tokens, is no pass', async () => {
    const folder = inFolder({ 'a.json': pactOf('muster') });
    const wrong = 'a secret of at least thirty-two bytes';
    const gone = await verifyAt('http://127.0.0.1:9', wrong, folder);
    expect(gone).toMatchObject({
      code: 2,
      err: expect.stringMatching(/127\.0\.0\.1:9 is not ready/),
    });
    const other = await verifyAt(url, wrong, folder);
    expect(other.code).toBe(1);
    expect(other.out).toContain('The provider states could not be applied');
  });

  it('every command explains itself', async () => {
    for (const command of ['verify', 'states', 'diff', 'can-i-deploy']) {
      const { code, out } = await runKit([command, '--help']);
      expect([code, out.startsWith(`muster-pact ${command} `)]).toEqual([0, true]);
    }
  });
});

const INTERACTION = {
  description: 'a history',
  providerStates: [{ name: 'an Item with versions' }],
  request: {
    method: 'GET',
    path: '/v1/history/sandbox/0b9f2c1e-6a53-4e0b-8f57-2f6f0d3c9a10/item/',
  },
  response: { status: 200 },
};

/** Named as the caller says. */
const pactOf = (provider: string, interactions: object[] = [INTERACTION]): string =>
  JSON.stringify({ consumer: { name: 'a' }, provider: { name: provider }, interactions });

describe('a service that pacts call otherwise', () => {
  it('is named for every command, and each lists the pacts it skips', async () => {
    const pacts = inFolder({ 'ours.json': pactOf('joins'), 'theirs.json': pactOf('muster') });
    const results = join(pacts, 'results');
    const skipped = /theirs\.json:\d+:\d+: Skipped: the pact is about the provider "muster"/;

    const named = [pacts, '--provider', 'joins', '--results', results];
    const verified = await verifyAt(url, secret, ...named);
    expect(verified.code).toBe(0);
    expect(verified.out).toContain('Skipped: the pact is about the provider "muster"');

    const answer = await runKit(['can-i-deploy', ...named]);
    expect(answer).toMatchObject({ code: 0, err: expect.stringMatching(skipped) });
    expect(answer.out).toBe(`Yes\n  a → joins was verified against ${url}.\n`);

    const changed = inFolder({
      'new.json': readFileSync(CONTRACT, 'utf8').replaceAll('/item/', '/things/'),
    });
    const diff = ['diff', CONTRACT, join(changed, 'new.json'), pacts, '--provider', 'joins'];
    const difference = await runKit(diff);
    expect(difference).toMatchObject({ code: 1, err: expect.stringMatching(skipped) });
    expect(difference.out).toContain('Interactions that break: 1.');
  });
});

const CONTRACT = fileURLToPath(new URL('../../../contracts/openapi.json', import.meta.url));

describe('results in files', () => {
  it('say that a verified pact may be deployed, and that a changed one may not', async () => {
    const folder = temporaryFolder();
    const results = join(folder, 'results');
    mkdirSync(join(folder, 'pacts'));
    const write = (description: string, count = 1) => {
      const interactions = Array.from({ length: count }, (_, index) => ({
        ...INTERACTION,
        description: `${description} ${index}`,
      }));
      const pact = {
        consumer: { name: 'a' },
        provider: { name: 'muster' },
        interactions,
        metadata: { pactSpecification: { version: '3.0.0' } },
      };
      writeFileSync(join(folder, 'pacts', 'a.json'), JSON.stringify(pact));
    };
    const verify = () => verifyAt(url, secret, join(folder, 'pacts'), '--results', results);
    const ask = async () =>
      (await runKit(['can-i-deploy', join(folder, 'pacts'), '--results', results])).code;

    write('a history', 2);
    expect((await verify()).code).toBe(0);
    expect(await ask()).toBe(0);
    write('another history', 2);
    expect(await ask()).toBe(1);
    write('another history', 1);
    const fewer = await verify();
    expect(fewer.code).toBe(1);
    expect(fewer.out).toContain('has 1 interactions, and the last run had 2');
    expect(await ask()).toBe(1);
  });
});

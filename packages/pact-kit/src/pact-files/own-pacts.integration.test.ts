import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startLocalServer } from '../local-server.ts';
import { loadPacts } from './load-pacts.ts';
import { selectOwnPacts } from './own-pacts.ts';

const pactOf = (provider: string, rest: object = {}): string =>
  JSON.stringify({
    consumer: { name: 'game' },
    provider: { name: provider },
    interactions: [{ description: 'a', request: { path: '/' }, response: { status: 200 } }],
    ...rest,
  });

const makeFolder = (files: Record<string, string | Buffer>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pacts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
};

const load = async (targets: string[], provider?: string) => {
  const { pacts, findings } = selectOwnPacts(await loadPacts(targets), provider);
  return [pacts.length, findings.map(({ severity, rule }) => `${severity} ${rule}`)];
};

describe('pacts of other providers', () => {
  it('are skipped with a word, broken or not', async () => {
    const folder = makeFolder({
      'a.json': pactOf('Muster'),
      'b.json': pactOf('payments', { messages: [{}] }),
    });
    expect(await load([folder])).toEqual([1, ['warning other-provider']]);
  });

  it('are an error when nothing of ours remains', async () => {
    const folder = makeFolder({ 'b.json': pactOf('payments') });
    expect(await load([folder])).toEqual([0, ['warning other-provider', 'error no-pact-found']]);
    expect(await load([folder], 'payments')).toEqual([1, []]);
  });

  it('are no excuse for a misspelt name', async () => {
    const folder = makeFolder({ 'a.json': pactOf('muster'), 'b.json': pactOf('mustre') });
    expect(await load([folder])).toEqual([1, ['error misspelt-provider']]);
  });
});

describe('a folder', () => {
  it('gives a pact with a misspelt key as one that cannot be read', async () => {
    const broken = pactOf('muster').replace('"provider"', '"providr"');
    const folder = makeFolder({ 'a.json': pactOf('muster'), 'b.json': broken });
    expect(await load([folder])).toEqual([1, ['error not-a-pact']]);
  });

  it('may hold the results of this kit', async () => {
    const result = JSON.stringify({
      formatVersion: 1,
      consumer: 'a',
      provider: 'b',
      interactions: 1,
    });
    const folder = makeFolder({ 'a.json': pactOf('muster'), 'a.result.json': result });
    expect(await load([folder])).toEqual([1, []]);
  });

  it('is followed through links, once each and never in a circle', async () => {
    const folder = makeFolder({ 'a.json': pactOf('muster') });
    const elsewhere = makeFolder({ 'b.json': pactOf('muster') });
    symlinkSync(elsewhere, join(folder, 'linked'));
    symlinkSync(folder, join(folder, 'circle.json'));
    symlinkSync('a.json', join(folder, 'same.json'));
    expect(await load([folder, join(folder, 'a.json')])).toEqual([2, []]);
  });

  it('names the file that cannot be read', async () => {
    const folder = makeFolder({ 'a.json': pactOf('muster') });
    symlinkSync('nowhere', join(folder, 'b.json'));
    mkdirSync(join(folder, 'c.json'));
    const { findings } = await loadPacts([folder]);
    expect(findings.map(({ place }) => place.file)).toEqual([join(folder, 'b.json')]);
  });

  it.skipIf(process.platform === 'win32')('does not wait for a pipe', async () => {
    const folder = makeFolder({ 'a.json': pactOf('muster') });
    execFileSync('mkfifo', [join(folder, 'b.json')]);
    expect(await load([folder])).toEqual([1, ['error unreadable-pact']]);
  });

  it('refuses text that is no UTF-8, and a version of Pact that does not exist', async () => {
    const latin = Buffer.from(pactOf('muster').replace('"a"', '"ä"'), 'latin1');
    expect(await load([makeFolder({ 'a.json': latin })])).toEqual([0, ['error unreadable-pact']]);
    const future = pactOf('muster', { metadata: { pactSpecification: { version: '99.0' } } });
    expect(await load([makeFolder({ 'a.json': future })])).toEqual([0, ['error not-a-pact']]);
  });
});

describe('a URL', () => {
  const serve = async (): Promise<{ url: string; seen: (string | undefined)[] }> => {
    const seen: (string | undefined)[] = [];
    const { port, close } = await startLocalServer(({ headers, url }, response) => {
      seen.push(headers.authorization);
      if (url !== '/hang') response.end(pactOf('muster'));
    });
    onTestFinished(close);
    return { url: `127.0.0.1:${port}`, seen };
  };

  it('with a password is read with it, and reported without', async () => {
    const { url, seen } = await serve();
    const { pacts, findings } = await loadPacts([`http://bob:hunter2@${url}/pact`]);
    expect(findings).toEqual([]);
    expect(pacts.map(({ source }) => source)).toEqual([`http://${url}/pact`]);
    expect(seen).toEqual([`Basic ${Buffer.from('bob:hunter2').toString('base64')}`]);
    const gone = await loadPacts(['http://bob:hunter2@127.0.0.1:9/pact']);
    expect(JSON.stringify(gone.findings)).not.toContain('hunter2');
  });

  it('that does not answer is given up with its caller', async () => {
    const { url } = await serve();
    const reason = new Error('Interrupted.');
    const controller = new AbortController();
    const loading = loadPacts([`http://${url}/hang`], { signal: controller.signal });
    controller.abort(reason);
    await expect(loading).rejects.toBe(reason);
  });
});

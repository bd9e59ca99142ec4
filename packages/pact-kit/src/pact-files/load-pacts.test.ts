import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadPacts } from './load-pacts.ts';
import { readPact } from './read-pact.ts';

const INTERACTION = {
  description: 'a join',
  request: { method: 'POST', path: '/' },
  response: { status: 200 },
};

const pactWith = (fields: object = {}) => ({
  consumer: { name: 'game' },
  provider: { name: 'muster' },
  interactions: [INTERACTION],
  metadata: { pactSpecification: { version: '3.0.0' } },
  ...fields,
});

const makeFolder = (files: Record<string, unknown>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-pacts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  return folder;
};

const serve = async (status: number, body: string): Promise<string> => {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/pact`;
};

describe('loadPacts', () => {
  it('finds every pact in a folder at any depth and leaves other JSON alone', async () => {
    const folder = makeFolder({
      'a.json': pactWith(),
      'deep/er/b.json': pactWith({ consumer: { name: 'tool' } }),
      'package.json': { name: 'game' },
      'node_modules/x/pact.json': pactWith(),
    });
    const { pacts, findings } = await loadPacts([folder]);
    expect(findings).toEqual([]);
    expect(pacts.map(({ consumer, source }) => [consumer, source])).toEqual([
      ['game', join(folder, 'a.json')],
      ['tool', join(folder, 'deep/er/b.json')],
    ]);
  });

  it('names file, line and column of broken JSON', async () => {
    const folder = makeFolder({ 'a.json': '{\n  "consumer": {,\n}' });
    const { pacts, findings } = await loadPacts([folder]);
    expect(pacts).toEqual([]);
    expect(findings).toMatchObject([
      { rule: 'broken-json', place: { file: join(folder, 'a.json'), line: 2, column: 16 } },
    ]);
    expect(findings[0]?.message).toMatch(/^The file is not valid JSON: [^\n]+\.$/);
  });

  it.each([
    [{ provider: { name: 'muster' }, interactions: [] }, 'it has no consumer with a name'],
    [{ consumer: { name: 'game' }, interactions: [] }, 'it has no provider with a name'],
    [pactWith({ interactions: undefined }), 'it has no list of interactions'],
    [[], 'it has no JSON object at its root'],
  ])('explains why %j is no pact', async (content, why) => {
    const folder = makeFolder({ 'a.json': content });
    const { findings } = await loadPacts([join(folder, 'a.json')]);
    expect(findings).toMatchObject([{ rule: 'not-a-pact' }]);
    expect(findings[0]?.message).toContain(why);
  });

  it('says that a file or folder is not there, and that a folder has no pact', async () => {
    const empty = makeFolder({ 'package.json': {} });
    const { findings } = await loadPacts(['nowhere/pact.json', empty]);
    expect(findings.map(({ rule, message }) => [rule, message])).toEqual([
      ['unreadable-pact', 'There is no such file or folder.'],
      ['no-pact-found', 'The folder contains no pact file.'],
    ]);
  });

  it('reads a URL whole, and leaves no copy of it on the disk', async () => {
    const folder = makeFolder({});
    vi.stubEnv('TMPDIR', folder);
    const url = await serve(200, JSON.stringify(pactWith()));
    const { pacts, findings } = await loadPacts([url]);
    expect(findings).toEqual([]);
    expect(pacts).toMatchObject([{ source: url, consumer: 'game', content: pactWith() }]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('reports the response of a server, a server that does not respond, and an invalid URL', async () => {
    const url = await serve(404, 'gone');
    const { findings } = await loadPacts([url, 'http://127.0.0.1:1/pact', 'ftp://host/pact']);
    expect(findings.map(({ message }) => message)).toEqual([
      'The server answered 404 for this URL.',
      expect.stringMatching(/^The URL could not be read: .+\.$/),
      'This is not an http or https URL.',
    ]);
  });
});

describe('readPact', () => {
  const read = (content: object) => readPact(JSON.stringify(content, null, 2), 'a.json');

  it.each([
    ['2.0.0', { providerState: 'a session' }],
    ['1.0.0', { provider_state: 'a session' }],
    ['3.0.0', { providerStates: [{ name: 'a session' }] }],
    ['4.0', { type: 'Synchronous/HTTP', providerStates: [{ name: 'a session', params: {} }] }],
  ])('reads the states of version %s', (version, state) => {
    const { pact, findings } = read(
      pactWith({
        interactions: [{ ...INTERACTION, ...state }],
        metadata: { pactSpecification: { version } },
      }),
    );
    expect(findings).toEqual([]);
    expect(pact?.specification).toBe(version);
    expect(pact?.interactions[0]?.states).toMatchObject([{ name: 'a session', params: {} }]);
  });

  it('knows the line of an interaction and of anything inside it', () => {
    const { pact } = read(pactWith());
    expect(pact?.interactions[0]?.place).toMatchObject({ file: 'a.json', line: 9 });
    expect(pact?.locate(['interactions', 0, 'request', 'path'])).toMatchObject({ line: 13 });
    expect(pact?.locate(['interactions', 0, 'request', 'absent'])).toMatchObject({ line: 11 });
  });

  it('refuses messages by name and keeps the HTTP interactions', () => {
    const message = { type: 'Asynchronous/Messages', description: 'an event', contents: {} };
    const { pact, findings } = read(
      pactWith({ interactions: [INTERACTION, message], messages: [{}] }),
    );
    expect(pact?.interactions).toHaveLength(1);
    expect(findings.map(({ rule }) => rule)).toEqual([
      'message-interaction',
      'message-interaction',
    ]);
    expect(findings[0]?.message).toContain('Asynchronous/Messages');
  });
});

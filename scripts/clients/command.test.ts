import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Language } from './languages.ts';
import { LANGUAGES, readOptions } from './languages.ts';
import { startNewerService } from './newer-service.ts';
import type { Proof } from './prove-language.ts';
import { describeProofs } from './prove-language.ts';
import { runRecipe, runShell } from './run-recipe.ts';

const run = (commands: string, output = 'done\n') =>
  runRecipe({
    recipe: {
      steps: [
        { kind: 'file', path: 'folder/name.txt', text: 'from a file' },
        { kind: 'commands', name: 'run', commands },
      ],
      output,
    },
    settings: { WORD: 'done' },
    onStep: () => {},
    signal: new AbortController().signal,
  });

describe('following a recipe', () => {
  test('passes when the last commands print what it says, ignoring colours', async () => {
    await expect(run('printf "\\033[0m$WORD\\n"')).resolves.toBeUndefined();
  });

  test('starts in a folder with only the documents and the files of the recipe', async () => {
    await run(
      'ls; cat folder/name.txt',
      'folder\nopenapi-3.0.json\nopenapi-admin.json\nopenapi.json\nfrom a file',
    );
  });

  test('fails when a command fails, with its output, even when later ones do not', async () => {
    await expect(run('echo because >&2; false; echo $WORD')).rejects.toThrow(
      '"run" ended with 1:\nbecause',
    );
  });

  test('fails when the program prints something else', async () => {
    await expect(run('echo other')).rejects.toThrow('It should print\ndone\nbut it printed\nother');
  });
});

describe('an interrupted recipe', () => {
  test('ends what its shell started', async () => {
    const abortion = new AbortController();
    const started = performance.now();
    const running = runShell('sleep 60 & wait', { signal: abortion.signal });
    abortion.abort();
    // The pipes stay open as long as anything of it lives.
    await running;
    expect(performance.now() - started).toBeLessThan(30_000);
  });
});

describe('the command', () => {
  test('takes all languages, or those that are named', () => {
    expect(readOptions([]).languages).toBe(LANGUAGES);
    expect(readOptions(['--only', 'rust, go']).languages.map(({ name }) => name)).toEqual([
      'go',
      'rust',
    ]);
  });

  test('refuses what it does not know', () => {
    expect(() => readOptions(['--only', 'cobol'])).toThrow('There is no recipe for "cobol".');
    expect(() => readOptions(['--all'])).toThrow("Unknown option '--all'");
  });

  test('says in its table what passed, what failed and what was left out', () => {
    const [typescript, python, go] = ['typescript', 'python', 'go'].map((name) =>
      LANGUAGES.find((language) => language.name === name),
    ) as [Language, Language, Language];
    const proofs: Proof[] = [
      { language: typescript, outcome: 'passed', seconds: 1.26 },
      { language: python, outcome: 'failed', reason: 'long', seconds: 2 },
      { language: go, outcome: 'left out', reason: 'needs go', seconds: 0 },
    ];
    expect(describeProofs(proofs).split('\n')).toEqual([
      'TypeScript          openapi-typescript 7.13.0     passed, 1.3 s',
      'Python              openapi-python-client 0.29.1  failed, 2.0 s',
      'Go                  oapi-codegen 2.8.2            left out: needs go',
    ]);
  });
});

test('programs meet a value in an answer that their document does not have', async () => {
  const service = createServer((request, response) => {
    response.setHeader('ETag', `"${request.method} ${request.url}"`);
    response.writeHead(409).end('{"input":"gamepad","platform":"Steam","version_match":"patch"}');
  });
  await once(service.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void service.close());
  const { port } = service.address() as AddressInfo;
  const newer = await startNewerService(`http://127.0.0.1:${port}`);
  onTestFinished(newer.stop);
  const answer = await fetch(`${newer.baseUrl}/a%2Fb?c=d`, { method: 'POST', body: '{}' });
  expect([answer.status, answer.headers.get('etag')]).toEqual([409, '"POST /a%2Fb?c=d"']);
  expect(await answer.json()).toEqual({
    input: 'eyetracker',
    platform: 'Steam',
    version_match: 'calendar',
  });
});

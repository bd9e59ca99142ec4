import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { LocalServer } from './local-server.ts';
import { always, SECRET, startLocalServer } from './local-server.ts';

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
let server: LocalServer | undefined;

afterEach(() => server?.close());
afterAll(() => rmSync(folder, { recursive: true }));

type Ended = { code: number | string | null | undefined; stdout: string; stderr: string };

const run = (...args: string[]): Promise<Ended> =>
  new Promise((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env;
    const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: folder };
    execFile(process.execPath, [MAIN, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error ? error.code : 0, stdout, stderr }),
    );
  });

describe('the command', () => {
  it('lists the cases without a service', async () => {
    const { code, stdout } = await run('--list', '--section', 'etag');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^ETag › /);
  });

  it.each([
    [['--base-url', 'http://127.0.0.1:1', '--secret', SECRET], /does not answer/],
    [['--secret', SECRET], /--base-url is required/],
    [['--base-url', 'ftp://x', '--token', 't'], /http or https/],
    [['--base-url', 'http://127.0.0.1:1'], /--token or --secret/],
    [['--nonsense'], /nonsense/],
    [['--list', '--section', 'nowhere'], /No section/],
    [['--list', '--concurrency', '0'], /--concurrency/],
    [['--base-url', 'http://127.0.0.1:1', '--token', 't', '--history-access', 'x'], /public/],
  ])('exits with 2 and explains why: %j', async (args, why) => {
    const { code, stderr } = await run(...args);
    expect(code).toBe(2);
    expect(stderr).toMatch(why);
  });

  it('exits with 2 before the first case when the credential is refused, and says whose it is', async () => {
    const refusal = { auth_success: false, error_code: 'auth_token_sig_invalid', desc: 'No.' };
    server = await startLocalServer(always(401, JSON.stringify(refusal)));
    writeFileSync(join(folder, 'jwt-secret'), SECRET);
    const { code, stdout, stderr } = await run('--base-url', server.baseUrl.href);
    rmSync(join(folder, 'jwt-secret'));
    expect(code).toBe(2);
    expect(stdout).toMatch(/^Proving http:\S+ with the credential of \S+\/jwt-secret\.\n$/m);
    expect(stderr).toMatch(/jwt-secret with auth_token_sig_invalid .*DATA_DIR/);
  });

  it('exits with 1 when a case fails, and writes the results as JSON', async () => {
    server = await startLocalServer(always(200, '{}'));
    const file = join(folder, 'results.json');
    const target = ['--base-url', server.baseUrl.href, '--secret', SECRET];
    const { code, stdout } = await run(...target, '--section', 'etag', '--json', file);
    expect(code).toBe(1);
    expect(stdout).toMatch(/\n0 passed, \d+ failed, 0 skipped\n$/);
    expect(existsSync(file)).toBe(true);
    expect(JSON.parse(readFileSync(file, 'utf8'))[0]).toMatchObject({ outcome: 'failed' });
  });

  it('skips, with only a token, what needs the signing secret', async () => {
    server = await startLocalServer(always(200, '{}'));
    const target = ['--base-url', server.baseUrl.href, '--token', 'of all permissions'];
    const { stdout } = await run(...target, '--section', 'public');
    expect(stdout).toMatch(/skipped \d+: needs a service with HISTORY_ACCESS=public/);
  });
});

// The command against registries of our own: one that knows of vulnerabilities, and one that does not tell.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { judgeAudit } from './audit.mjs';

const SCRIPT = new URL('../run.mjs', import.meta.url).pathname;

type Advisory = { name: string; version: string; severity: string };

/** npm also reads which versions there are of the package, and of those that depend on it. */
const describePackage = ({ name, version }: Advisory, path = ''): string => {
  const asked = decodeURIComponent(path.slice(1));
  const versions = asked === name ? { [version]: { name, version } } : {};
  return JSON.stringify({ name: asked, versions });
};

const describeAdvisory = ({ name, severity }: Advisory): string => {
  const about = { id: 1, url: 'https://advisories.example/1', title: 'A hole', severity };
  return JSON.stringify({ [name]: [{ ...about, vulnerable_versions: '*', cwe: [] }] });
};

/** Returns the output and exit code of the command for a registry with this advisory, or for one that refuses the query. */
const auditWith = async (advisory?: Advisory, ...options: string[]) => {
  const registry = createServer(async (request, response) => {
    await request.resume().toArray();
    if (!advisory) return response.writeHead(405).end();
    const isQuestion = request.method === 'POST';
    return response.end(
      isQuestion ? describeAdvisory(advisory) : describePackage(advisory, request.url),
    );
  });
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
  const { port } = registry.address() as AddressInfo;
  // npm remembers advisories by their number.
  const cache = mkdtempSync(join(tmpdir(), 'muster-audit-'));
  const settings = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: cache };
  const env = { ...process.env, ...settings, npm_config_fetch_retries: '0' };
  const { code, stdout } = await promisify(execFile)(
    process.execPath,
    [SCRIPT, 'audit', ...options],
    {
      env,
    },
  ).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error) => ({ code: error.code, stdout: error.stdout }),
  );
  registry.close();
  rmSync(cache, { recursive: true });
  return { code, stdout };
};

const EXPRESS = { name: 'express', version: '5.3.0' };

test('fails for a vulnerability of high severity in a package that the service depends on', async () => {
  const { code, stdout } = await auditWith({ ...EXPRESS, severity: 'high' });
  expect(stdout).toContain('high: express');
  expect(stdout).toContain('https://advisories.example/1');
  expect(code).toBe(1);
});

test('names a lesser one, and does not fail', async () => {
  const { code, stdout } = await auditWith({ ...EXPRESS, severity: 'moderate' });
  expect([code, stdout]).toEqual([0, expect.stringContaining('moderate: express')]);
});

test('does not mind what only builds and tests', async () => {
  const tool = { name: 'knip', version: '6.44.2', severity: 'critical' };
  const { code, stdout } = await auditWith(tool);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^0 packages/)]);
});

test('reports a registry that does not list vulnerabilities, and fails with --required', async () => {
  const said = expect.stringMatching(/^NOT AUDITED: .*405/);
  expect(await auditWith()).toEqual({ code: 0, stdout: said });
  expect(await auditWith(undefined, '--required')).toEqual({ code: 1, stdout: said });
});

test.each([
  [false, 0],
  [true, 1],
])('reports output of npm that cannot be read, required: %s', (isRequired, exitCode) => {
  const said =
    'NOT AUDITED: the registry does not list known vulnerabilities (npm gave no answer).';
  expect(judgeAudit('', { isRequired })).toEqual({ sentences: [said], exitCode });
});

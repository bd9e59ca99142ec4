// The committed Dockerfile, built and run with a real PostgreSQL. Needs root on Debian, and is left out elsewhere.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, findFreePort } from '@muster/database/testing';
import { parseNotices } from '@muster/licenses';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../setup/repository.mjs';
import { isRootOnDebian } from '../test/provide-programs.ts';
import type { Container, Image } from './test/container.ts';
import { buildImage } from './test/container.ts';

const MAX_COMPRESSED_MB = 120;
const STOP_MS = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'muster-container-'));
let image: Image;

const idOf = ({ name, version }: { name: string; version: string }) => `${name} ${version}`;

const readyUrl = async (container: Container): Promise<string> => {
  await expect
    .poll(() => container.output(), { timeout: 120_000 })
    .toMatch(/Muster is ready at|\bproblem|\bcannot|\bError/);
  const url = /ready at (http:\S+)/.exec(container.output())?.[1];
  if (!url) throw new Error(container.output());
  return url;
};

describe.runIf(isRootOnDebian())(
  'the container image, built on a base of debootstrap (left out unless root on Debian)',
  () => {
    beforeAll(() => {
      const options = { cwd: join(ROOT, 'packages/server'), stdio: ['ignore', 2, 2] as const };
      execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
        ...options,
        stdio: [...options.stdio],
      });
      image = buildImage(join(folder, readdirSync(folder)[0] ?? ''));
    }, 600_000);

    afterAll(() => {
      image?.remove();
      rmSync(folder, { recursive: true, force: true });
    });

    it(`takes at most ${MAX_COMPRESSED_MB} MB compressed, without PostgreSQL, and lists its components`, () => {
      const megabytes = image.compressedBytes / 1e6;
      process.stderr.write(
        `The image takes ${megabytes.toFixed(1)} MB compressed, its base included.\n`,
      );
      expect(megabytes).toBeLessThan(MAX_COMPRESSED_MB);
      expect(existsSync(join(image.root, 'opt/muster/node_modules'))).toBe(false);
      const components = JSON.parse(
        readFileSync(join(image.root, 'opt/muster/dist/sbom.cdx.json'), 'utf8'),
      );
      expect(components.bomFormat).toBe('CycloneDX');
      expect(components.components.map(({ name }: { name: string }) => name)).toEqual(
        expect.arrayContaining(['express', 'jose', 'pg', 'react']),
      );
      const uid = Number(image.config.User.split(':')[0]);
      expect([uid > 0, image.config.StopSignal]).toEqual([true, 'SIGTERM']);
      expect(image.config.Labels).toMatchObject({
        'org.opencontainers.image.title': 'Muster',
        'org.opencontainers.image.licenses': 'Apache-2.0',
      });
    });

    it('contains our licence and those of each component, of Node.js and of the packages of Debian', async () => {
      const read = (path: string) => readFileSync(join(image.root, path), 'utf8');
      expect(read('opt/muster/LICENSE')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
      const notices = parseNotices(read('opt/muster/THIRD-PARTY-LICENSES.txt'));
      const node = notices.find(({ name }) => name === 'node');
      const version = image.run({ command: ['node', '-p', 'process.versions.node'] });
      expect([await version.exited, version.output()]).toEqual([0, `${node?.version}\n`]);
      // The licences of what Node.js contains are in its own.
      expect(node?.text).toMatch(/Node\.js contributors[\s\S]*OpenSSL/);
      const { components } = JSON.parse(read('opt/muster/dist/sbom.cdx.json'));
      expect(notices.filter((one) => one !== node).map(idOf)).toEqual(components.map(idOf));
      const packages = readdirSync(join(image.root, 'var/lib/dpkg/info'))
        .filter((file) => file.endsWith('.list'))
        .map((file) => file.replace(/(?::\w+)?\.list$/, ''));
      expect(packages).toContain('libc6');
      for (const name of packages) {
        expect(existsSync(join(image.root, 'usr/share/doc', name, 'copyright')), name).toBe(true);
      }
    });

    it('passes the conformance suite read-only and not as root on a real PostgreSQL, is healthy, and stops in time', async () => {
      const database = await createTestDatabase({ migrated: false });
      const secret = randomBytes(36).toString('hex');
      const env = {
        DATABASE_URL: database.url,
        AUTH_JWT_SECRET: secret,
        PORT: String(await findFreePort()),
        // The test's own requests come from this machine.
        HOST: '127.0.0.1',
      };
      const container = image.run({ env });
      try {
        const url = await readyUrl(container);
        const [kind = '', ...check] = image.config.Healthcheck.Test;
        expect(kind).toBe('CMD');
        const health = image.run({ command: check, env });
        expect([await health.exited, health.output()]).toEqual([0, '']);
        const program = join(ROOT, 'packages/conformance/src/main.ts');
        const suite = spawn(process.execPath, [program, '--base-url', url, '--secret', secret], {
          cwd: ROOT,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let report = '';
        suite.stdout.on('data', (part) => (report += part));
        suite.stderr.on('data', (part) => (report += part));
        const [code] = await once(suite, 'close');
        expect(code, report).toBe(0);
        process.stderr.write(`In the image: ${report.trim().split('\n').at(-1)}\n`);
      } finally {
        // An unanswered wish to stop is a failure of the next line, after the time that orchestrators give.
        const forced = AbortSignal.timeout(STOP_MS);
        forced.addEventListener('abort', () => void container.signal('SIGKILL'));
        await container.signal('SIGTERM');
      }
      expect([await container.exited, container.output()]).toEqual([0, expect.any(String)]);
      const unhealthy = image.run({ command: image.config.Healthcheck.Test.slice(1), env });
      expect(await unhealthy.exited).toBe(1);
      await database.drop();
    });

    it('cannot write beside its data folder, nor as root', async () => {
      const program = `
        const { accessSync, constants, writeFileSync } = require('node:fs');
        const closed = ['/', '/opt/muster', '/opt/muster/dist', '/etc', '/usr/local/bin'].every((path) => {
          try { accessSync(path, constants.W_OK); return false; } catch { return true; }
        });
        writeFileSync(process.env.DATA_DIR + '/probe', '');
        console.log(JSON.stringify({ closed, uid: process.getuid() }));`;
      const { exited, output } = image.run({ command: ['node', '-e', program] });
      expect(await exited, output()).toBe(0);
      expect(JSON.parse(output())).toEqual({ closed: true, uid: 10_001 });
    });

    it('starts with the secrets and the settings of the compose file', async () => {
      const compose = parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'));
      const { secrets, muster, postgres } = compose.services;
      const database = await createTestDatabase({ migrated: false });
      // The volume of secrets is the container's scratch folder here, and the database's name another one.
      const [node, flag, script] = secrets.entrypoint as [string, string, string];
      const place = (text: string) => text.replaceAll('/secrets/', '/data/');
      const [, envFile, ...program] = (muster.entrypoint as string[]).map(place);
      const start = `${place(script)}
        process.loadEnvFile('${envFile?.split('=')[1]}');
        const written = new URL(process.env.DATABASE_URL);
        if (written.hostname !== 'postgres' || written.username !== '${postgres.environment.POSTGRES_USER}') process.exit(3);
        process.env.DATABASE_URL = '${database.url}';
        process.execve(process.execPath, [process.execPath, ${program.map((part) => `'${part}'`).join(', ')}], process.env);`;
      const settings = Object.entries(muster.environment as Record<string, string>);
      const env = Object.fromEntries(
        settings.map(([name, text]) => [
          name,
          text.replace(/\$\{\w+:-([^}]*)\}/, (_, value) => value),
        ]),
      );
      const ports = { PORT: String(await findFreePort()), METRICS_PORT: `${await findFreePort()}` };
      const container = image.run({
        command: [node, flag, start],
        env: { ...env, ...ports },
      });
      try {
        const url = await readyUrl(container);
        expect((await fetch(`${url}/readyz`)).status).toBe(200);
        expect(container.output()).toContain(`Sign in at ${env.PUBLIC_URL}`);
        expect(container.output()).toContain('one-time password: in /data/owner-password');
        expect(container.output()).not.toMatch(/eyJ/);
      } finally {
        await container.signal('SIGTERM');
      }
      expect(await container.exited).toBe(0);
      await database.drop();
    });
  },
);

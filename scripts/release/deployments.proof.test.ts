// The compose file and the unit, held against what takes them: the service and systemd.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT, report } from '../setup/repository.mjs';

const folder = mkdtempSync(join(tmpdir(), 'muster-deployments-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the compose file', () => {
  const compose = parse(readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8'));
  const { muster, nginx, secrets } = compose.services;

  it('publishes ports on this machine only by default', () => {
    for (const port of [...muster.ports, ...nginx.ports]) {
      expect(port).toMatch(/^(?:\$\{\w+:-)?127\.0\.0\.1:(\d+)\}?:\1$/);
    }
  });

  it('leaves no volume without a name behind, and lets nginx ask for the address of a new container', () => {
    const dockerfile = readFileSync(join(ROOT, 'deploy/image/Dockerfile'), 'utf8');
    const [, place] = /^VOLUME (.*)$/m.exec(dockerfile) ?? [];
    for (const { volumes, tmpfs = [] } of [secrets, muster]) {
      const places = volumes.map((volume: string) => volume.split(':')[1]);
      expect([...places, ...tmpfs]).toContain(place);
    }
    expect(nginx.depends_on.muster.restart).toBe(true);
  });

  const makeSecrets = (folder: string) => {
    const [, flag, script] = secrets.entrypoint;
    const placed = script.replaceAll('/secrets/', `${folder}/`);
    return spawnSync(process.execPath, [flag, placed], { encoding: 'utf8' });
  };

  it('makes secrets once, anew where that was interrupted, and refuses what is left of them', () => {
    const volume = mkdtempSync(join(folder, 'secrets-'));
    const read = () => readFileSync(join(volume, 'muster.env'), 'utf8');
    // Killed between its two files, and within the second.
    writeFileSync(join(volume, 'postgres-password'), 'of the first attempt');
    writeFileSync(join(volume, 'muster.env.new'), 'DATABASE_URL=postg');
    expect(makeSecrets(volume)).toMatchObject({ status: 0, stderr: '' });
    const made = read();
    const password = readFileSync(join(volume, 'postgres-password'), 'utf8');
    expect(made).toContain(`postgresql://muster:${password}@`);
    expect(Object.keys(parseEnv(made))).toHaveLength(3);
    expect([makeSecrets(volume).status, read()]).toEqual([0, made]);
    const torn = made.slice(0, made.indexOf('ACCOUNTS_SECRET=') + 'ACCOUNTS_SECRET='.length);
    writeFileSync(join(volume, 'muster.env'), torn);
    expect(makeSecrets(volume)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(
        /^muster\.env in the volume secrets has no ACCOUNTS_SECRET: .*\n$/,
      ),
    });
    expect(read()).toBe(torn);
  });

  it('gives every setting of deploy/.env to the service, where an issuer takes the place of the secret', () => {
    expect(muster.env_file).toEqual([{ path: '.env', required: false }]);
    const place = (text: string) => text.replaceAll('/secrets/', `${folder}/`);
    expect(makeSecrets(folder).status).toBe(0);
    const example = readFileSync(join(ROOT, 'deploy/example.env'), 'utf8');
    const settings = parseEnv(example.replaceAll(/^#(?=AUTH_)/gm, ''));
    const examine = (env: NodeJS.Dict<string>): string =>
      spawnSync(
        process.execPath,
        [place(muster.entrypoint[1]), 'apps/api/src/cli/muster.ts', 'doctor'],
        { cwd: ROOT, env: { ...env, HOST: '0.0.0.0', DATA_DIR: folder }, encoding: 'utf8' },
      ).stdout;
    expect(examine(settings)).toMatch(/^ok +settings /m);
    const { AUTH_JWT_SECRET: _, ...both } = settings;
    expect(examine(both)).toMatch(/^fail +settings +AUTH_JWT_SECRET and AUTH_JWKS_URL are both/m);
  });
});

const hasSystemd = existsSync('/usr/bin/systemd-analyze');
if (!hasSystemd) report('The unit is not verified: there is no systemd-analyze on this machine.');

describe.runIf(hasSystemd)('the systemd unit (left out without systemd-analyze)', () => {
  const unit = join(folder, 'muster.service');
  const MAX_EXPOSURE_TENTHS = 15;

  beforeAll(() => {
    const text = readFileSync(join(ROOT, 'deploy/systemd/muster.service'), 'utf8');
    // The command is not installed on this machine.
    writeFileSync(unit, text.replace('/usr/bin/env muster', '/bin/true'));
  });

  const analyze = (...args: string[]) =>
    spawnSync('systemd-analyze', [...args, unit], { encoding: 'utf8' });

  it('is one that systemd takes without a warning', () => {
    const { status, stderr } = analyze('verify', '--man=no');
    expect([status, stderr]).toEqual([0, '']);
  });

  it('exposes little of the machine', () => {
    const options = ['--offline=true', `--threshold=${MAX_EXPOSURE_TENTHS}`];
    const { status, stdout } = analyze('security', ...options);
    expect(status, stdout).toBe(0);
  });
});

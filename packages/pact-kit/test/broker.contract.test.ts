import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import type { MemoryBroker } from '../src/broker/index.ts';
import { startMemoryBroker } from '../src/broker/index.ts';
import { findVerifier } from '../src/verify/native-verifier.ts';
import { listCorrectPacts, listMutatedPacts } from './mutations/index.ts';
import { runKit } from './run-kit.ts';
import { temporaryFolder, writePacts } from './verify-for-test.ts';

const { url, secret } = inject('provider');
const GREEN = listCorrectPacts()[0]?.pact ?? {};
const RED = listMutatedPacts()[0]?.pact ?? {};
const TOKEN = 'a-token';

let broker: MemoryBroker;
beforeEach(async () => {
  broker = await startMemoryBroker({ token: TOKEN });
  onTestFinished(broker.close);
});

const verify = (...args: string[]) =>
  runKit(['verify', '--broker', broker.url, '--provider-url', url, '--secret', secret, ...args], {
    PACT_BROKER_TOKEN: TOKEN,
  });

const canDeploy = (version: string) =>
  runKit([
    'can-i-deploy',
    '--broker',
    broker.url,
    '--broker-token',
    TOKEN,
    '--pacticipant',
    'test-game',
    '--version',
    version,
  ]);

/** Publishes with the program of the kit's dependency @pact-foundation/pact-cli. */
const publishWithPactCli = async (file: string, version: string, branch: string) => {
  const args = [
    'broker',
    'publish',
    file,
    '--broker-base-url',
    broker.url,
    '--broker-token',
    TOKEN,
    '--consumer-app-version',
    version,
    '--branch',
    branch,
  ];
  const env = { ...process.env, PACT_DO_NOT_TRACK: 'true' };
  const child = spawn(findVerifier(), args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [[code], out, err] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code, output: out + err };
};

describe('a broker', () => {
  it('gives the pacts of the main branch, takes the result, and then lets the consumer deploy', async () => {
    broker.publish({ pact: GREEN, consumerVersion: '1', branch: 'main' });
    expect(await canDeploy('1')).toMatchObject({ code: 1 });
    const publish = ['--publish', '--provider-version', 'abc', '--provider-branch', 'main'];
    const run = await verify(...publish, '--provider-tag', 'prod');
    expect(run).toMatchObject({ code: 0 });
    expect(broker.results()).toMatchObject([{ success: true, providerVersion: 'abc' }]);
    expect(broker.providerVersions()).toEqual([
      { version: 'abc', branch: 'main' },
      { version: 'abc', tag: 'prod' },
    ]);
    expect(await canDeploy('1')).toMatchObject({ code: 0 });
  });

  it('lets a pending pact fail without failing the run, and publishes the failure', async () => {
    broker.publish({ pact: RED, consumerVersion: '1', branch: 'main' });
    const publish = ['--publish', '--provider-version', 'abc', '--provider-branch', 'main'];
    const run = await verify('--pending', ...publish);
    expect(run.code).toBe(0);
    expect(run.out).toContain('1 pending');
    expect(run.out).not.toContain('0 passed');
    expect(broker.results()).toMatchObject([{ success: false }]);
    expect(await canDeploy('1')).toMatchObject({ code: 1 });
  });

  it('fails the run for the same pact when it is not pending', async () => {
    broker.publish({ pact: RED, consumerVersion: '1', branch: 'main' });
    expect((await verify()).code).toBe(1);
  });

  it('chooses by selector, and adds what is in work only when asked', async () => {
    broker.publish({ pact: GREEN, consumerVersion: '1', branch: 'main', tags: ['prod'] });
    broker.publish({ pact: RED, consumerVersion: '2', branch: 'feature' });
    const tagged = await verify('--selector', '{"tag":"prod"}');
    expect(tagged.out).toContain('in 1 pact ');
    const withWip = await verify('--pending', '--include-wip-since', '2026-01-01');
    expect(withWip.code).toBe(0);
    expect(withWip.out).toContain('in 2 pacts');
    expect((await verify('--selector', '{"branch":"feature"}')).code).toBe(1);
  });

  it("takes what Pact's own command line publishes, which is then verified", async () => {
    const [file = ''] = writePacts(temporaryFolder(), [GREEN]);
    const { code, output } = await publishWithPactCli(file, '7', 'main');
    expect(output).not.toMatch(/error|warning/i);
    expect(code).toBe(0);
    const run = await verify('--publish', '--provider-version', 'abc');
    expect(run.out).toMatch(/^Verified /m);
    expect(broker.results()).toMatchObject([{ success: true, pact: { consumerVersion: '7' } }]);
    expect(await canDeploy('7')).toMatchObject({ code: 0 });
  });

  it('without any pact for us, or only one without interactions, gives nothing to verify', async () => {
    expect(await verify()).toMatchObject({ code: 2, out: '' });
    expect((await verify()).err).toContain('The broker has no pact of "muster"');
    broker.publish({ pact: { ...GREEN, interactions: [] }, consumerVersion: '1', branch: 'main' });
    const publish = ['--publish', '--provider-version', 'abc'];
    expect(await verify(...publish)).toMatchObject({ code: 2, out: '' });
    expect(broker.results()).toEqual([]);
  });

  it('that refuses, is gone or speaks nonsense is one sentence and exit code 2', async () => {
    const refused = await runKit(['verify', '--broker', broker.url]);
    expect(refused).toMatchObject({ code: 2 });
    expect(refused.err).toMatch(/^The broker answered 401 to GET .*\n$/);
    const gone = await runKit(['verify', '--broker', 'http://127.0.0.1:9']);
    expect(gone).toMatchObject({ code: 2 });
    expect(gone.err).toMatch(/^The broker at http:\/\/127\.0\.0\.1:9 does not answer: .*\n$/);
    const nonsense = await runKit(['verify', '--broker', `${url}/readyz`]);
    expect(nonsense).toMatchObject({ code: 2 });
    expect(nonsense.err.trim().split('\n')).toHaveLength(1);
  });
});

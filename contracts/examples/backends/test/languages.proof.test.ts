// The programs of the README, run with its commands against a real service.
import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createAdminClient } from '@muster/admin-client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { packClient } from '../../../../packages/admin-client/test/package/pack-client.ts';
import type { Service } from '../../../../packages/client/test/start/start-service.ts';
import { signToken, startService } from '../../../../packages/client/test/start/start-service.ts';
import { startFaultyGateway } from './faulty-gateway.ts';
import { connectPlayer } from './game-clients.ts';

const EXAMPLES = fileURLToPath(new URL('..', import.meta.url));
const README = readFileSync(join(EXAMPLES, 'README.md'), 'utf8');

/** Shell commands that succeed only where the toolchain is installed. */
const TOOLCHAINS = {
  python: ['python3 -c "import sys; sys.exit(sys.version_info < (3, 9))"'],
  go: ['go version'],
  csharp: [
    'mono --version',
    'mcs --version',
    'test -e /usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll',
    'test -e /usr/lib/mono/4.5/System.Net.Http.dll',
  ],
  typescript: ['node --version'],
};
type Language = keyof typeof TOOLCHAINS;

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service?.stop());

const connectBackend = () =>
  createAdminClient({ baseUrl: service.baseUrl, token: () => signToken('backend', ['session:*']) });

const commandsOf = (language: Language): string => {
  const block = new RegExp(`^\`\`\`sh ${language}\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(README);
  if (!block?.[1]) throw new Error(`The README has no commands for ${language}.`);
  return block[1];
};

/** A copy of the language's folder: programs are compiled beside their sources. */
const copyExample = (language: Language): string => {
  const source = join(EXAMPLES, language);
  if (language === 'typescript') {
    const { project, remove } = packClient();
    onTestFinished(remove);
    cpSync(source, project, { recursive: true });
    return project;
  }
  const folder = mkdtempSync(join(tmpdir(), 'muster-backends-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(source, folder, { recursive: true });
  return folder;
};

const startMatch = (
  language: Language,
  [first = '', second = '']: readonly string[],
  baseUrl = service.baseUrl,
) => {
  const child = spawn('sh', ['-e', '-c', commandsOf(language)], {
    cwd: copyExample(language),
    env: {
      ...process.env,
      // No other version of Go is downloaded.
      GOTOOLCHAIN: 'local',
      MUSTER_URL: baseUrl,
      MUSTER_KEY: signToken('game-backend', ['session:*']),
      PLAYER_1: first,
      PLAYER_2: second,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  onTestFinished(() => endGroup(child));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exit = once(child, 'exit').then(([code]) => code);
  return {
    /** The text of the next line after its label; fails when the label is another one. */
    read: async (label: string): Promise<string> => {
      const { value = '' } = await lines.next();
      expect(value).toMatch(new RegExp(`^${label}(?:: |$)`));
      return value.slice(label.length + 2);
    },
    exit,
  };
};

const endGroup = ({ pid, exitCode, signalCode }: ChildProcess): void => {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
};

describe.each(Object.keys(TOOLCHAINS) as Language[])('the example in %s', (language) => {
  const missing = TOOLCHAINS[language].find((command) => spawnSync('sh', ['-c', command]).status);
  const provided = test.skipIf(missing);
  const title = (guarantee: string) =>
    missing ? `${guarantee} (skipped: the toolchain is missing, "${missing}" fails)` : guarantee;

  provided(title('plays a match with two players and reads a refusal'), async () => {
    const players = [randomUUID(), randomUUID()];
    const match = startMatch(language, players);
    const session_id = await match.read('created');
    expect(await match.read('refused')).toBe('409 session_full');
    const lobby = await match.read('joinable');
    for (const [team, player] of players.entries()) {
      const { instance } = await connectPlayer(service.baseUrl, player).join(lobby, team);
      expect(instance?.join_params?.private_conn_str).toBe('203.0.113.7:7777?password=secret');
    }
    expect(await match.read('seated')).toBe('all players');
    await match.read('ended');
    expect(await match.exit).toBe(0);
    const found = await connectBackend().call('sessions.find', { type: 'duel', session_id });
    expect(found).toHaveProperty('ended');
  });

  provided(
    title('repeats calls without a second session or seat when responses are lost'),
    async () => {
      const gateway = await startFaultyGateway(service.baseUrl);
      onTestFinished(gateway.stop);
      const players = [randomUUID(), randomUUID()];
      const match = startMatch(language, players, gateway.baseUrl);
      const session_id = await match.read('created');
      expect(await match.read('refused')).toBe('409 session_full');
      const lobby = await match.read('joinable');
      for (const [team, player] of players.entries()) {
        const session = await connectPlayer(service.baseUrl, player).join(lobby, team);
        expect(session.session_id).toBe(session_id);
      }
      expect(await match.read('seated')).toBe('all players');
      await match.read('ended');
      expect(await match.exit).toBe(0);
      const repeated = [
        'create',
        'invitePlayer',
        'setInstance',
        'setInstanceStatus',
        'watch',
        'end',
      ];
      for (const name of repeated) {
        expect(gateway.requests.get(`/admin/trpc/sessions.${name}`)).toBeGreaterThanOrEqual(3);
      }
    },
  );

  provided(title('stops waiting when its session is ended by someone else'), async () => {
    const match = startMatch(language, [randomUUID(), randomUUID()]);
    const session_id = await match.read('created');
    await match.read('refused');
    await match.read('joinable');
    await connectBackend().call('sessions.end', { type: 'duel', session_id });
    expect(await match.read('seated')).toBe('some are missing');
    await match.read('ended');
    expect(await match.exit).toBe(1);
  });
});

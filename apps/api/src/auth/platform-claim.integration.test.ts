// The `platform` claim of a token decides the platform. No form of the claim leaves that decision to the client.
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ITEMS, SANDBOX } from '../../test/public-client.ts';
import type { TestService } from '../../test/test-service.ts';
import { SECRET, startTestService } from '../../test/test-service.ts';
import type { AdminClient } from '../admin/testing/admin-client.ts';
import { createAdminClient, createSession } from '../admin/testing/admin-client.ts';

let service: TestService;
let admin: AdminClient;
beforeAll(async () => {
  service = await startTestService();
  admin = createAdminClient(service);
});
afterAll(() => service.close());

const encode = (text: string): string => Buffer.from(text).toString('base64url');

/** A token with all permissions whose payload ends in the given members, as JSON text. */
const sign = (sub: string, members: string): string => {
  const exp = Math.floor(Date.now() / 1000) + 600;
  const payload = `{"sub":"${sub}","exp":${exp},"permissions":["*"]${members}}`;
  const signed = `${encode('{"alg":"HS256"}')}.${encode(payload)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
};

type Answer = { status: number; body: Record<string, unknown>; text: string };

const ask = async (path: string, token: string, body?: object): Promise<Answer> => {
  const response = await fetch(service.baseUrl + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const [line = ''] = text.split('\n');
  return { status: response.status, body: line === '' ? {} : JSON.parse(line), text };
};

const codeOf = ({ body }: Answer): unknown => {
  const { data } = (body.error ?? {}) as { data?: { error_code: string } };
  return body.error_code ?? data?.error_code;
};

const UNREADABLE = [
  '"platform":"steam"',
  '"platform":"STEAM"',
  '"platform":" Steam"',
  '"platform":"Steam "',
  '"platform":"pc"',
  '"platform":""',
  '"platform":5',
  '"platform":"5"',
  '"platform":true',
  '"platform":null',
  '"platform":["Steam"]',
  '"platform":[]',
  '"platform":{}',
  '"platform":{"name":"Steam"}',
  '"platform":"Steam","platform":"steam"',
  '"platform":"Steam","pl\\u0061tform":"steam"',
];

describe('a platform claim that names none of the platforms', () => {
  const routes = [
    ['the Item history', ITEMS],
    ['the Xp history', ITEMS.replace('/item/', '/xp/')],
    ['the admin API', '/admin/trpc/players.list?input=%7B%7D'],
    ['an export', `/admin/export/${SANDBOX}/item`],
  ] as const;

  it.each(routes)('is refused by %s', async (_, path) => {
    for (const member of UNREADABLE) {
      const answer = await ask(path, sign('studio', `,${member}`));
      expect([member, answer.status, codeOf(answer)]).toEqual([
        member,
        403,
        'auth_token_invalid_claim',
      ]);
    }
    const good = await ask(path, sign('studio', ',"platform":"Steam"'));
    expect([403, 422]).not.toContain(good.status);
  });

  it.each(UNREADABLE)('is refused by each of several joins: %s', async (member) => {
    const player = randomUUID();
    const scene = await openScene();
    const token = sign(player, `,${member}`);
    for (let count = 0; count < 2; count += 1) {
      const answer = await scene.join(player, token, 'PSN');
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({
        auth_success: false,
        error_code: 'auth_token_invalid_claim',
        desc: 'A claim of the token is missing or not accepted.',
      });
    }
    expect(await scene.readPlayers()).not.toContain(player);
    // The refusal applies to this token, not to its account.
    const good = await scene.join(player, sign(player, ',"platform":"PSN"'), 'PSN');
    expect(good.status).toBe(200);
  });
});

describe('crossplay', () => {
  it('follows the claim and ignores the body', async () => {
    const scene = await openScene();
    const [liar, honest] = [randomUUID(), randomUUID()];
    const refused = await scene.join(liar, sign(liar, ',"platform":"Steam"'), 'PSN');
    expect([refused.status, codeOf(refused)]).toEqual([403, 'crossplay_incompatible']);
    const accepted = await scene.join(honest, sign(honest, ',"platform":"PSN"'), 'Steam');
    expect(accepted.status).toBe(200);
    expect(await scene.readPlayers()).toEqual([expect.any(String), honest]);
  });

  it('follows the body only for a token without the claim', async () => {
    const scene = await openScene();
    const player = randomUUID();
    expect((await scene.join(player, sign(player, ''), 'PSN')).status).toBe(200);
    expect(await scene.readPlayers()).toContain(player);
  });
});

/** A session with one player, who is on PSN and plays with PSN only. */
const openScene = async () => {
  const { name, platformSessionId } = await createSession(admin, { teams: [{ max_size: 4 }] });
  const join = (player: string, token: string, platform: string): Promise<Answer> => {
    const path = `/session/v1/platform/Steam/platform-session/${platformSessionId}/player/${player}`;
    return ask(path, token, {
      client_version: '1.0.0',
      client_settings: { platform, input: 'gamepad' },
      team_id: 0,
      crossplay_preferences: {
        permitted_platform: 'desired_platforms_playstationlike',
        permitted_input: 'desired_inputs_any',
      },
    });
  };
  const first = randomUUID();
  expect((await join(first, sign(first, ',"platform":"PSN"'), 'PSN')).status).toBe(200);
  return {
    join,
    readPlayers: async (): Promise<string[]> => {
      const { data } = await admin.query('sessions.get', name);
      const { teams } = data.session as { teams: { players: { player_uuid: string }[] }[] };
      return teams.flatMap(({ players }) => players.map((seat) => seat.player_uuid));
    },
  };
};

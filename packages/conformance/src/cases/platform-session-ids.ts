import assert from 'node:assert/strict';
import {
  expectAdminRefusal,
  expectProblem,
  expectProblems,
  expectRefusal,
  expectSession,
} from '../checks.ts';
import {
  ASTRAL,
  join,
  joinBody,
  joinPath,
  newPlayer,
  randomPlatformSessionId,
  tryJoin,
} from '../fixtures/joins.ts';
import type { SessionFixture } from '../fixtures/sessions.ts';
import { keyOf, newSession, sessionType } from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Platform session ids');

const byId = (id: string, platform = 'Steam') => ({
  platform_session: [{ platform, platform_session_type: 'lobby', platform_session_id_base64: id }],
});

const withId = (context: Context, id: string, platform?: string): Promise<SessionFixture> =>
  newSession(context, byId(id, platform));

type AdminError = Awaited<ReturnType<typeof expectAdminRefusal>>;

/** The status and the places of the problems. */
const describe = ({ httpStatus, detail = [] }: AdminError): [number, string[]] => [
  httpStatus,
  detail.map(({ loc }) => loc.join('.')),
];

const refuseId = async (context: Context, id: string): Promise<[number, string[]]> => {
  const input = { type: await sessionType(context), teams: [{ max_size: 1 }], ...byId(id) };
  return describe(await expectAdminRefusal(context, 'sessions.create', input));
};

/** Ids that no client sends, although a backend may read them from a file. */
const UNFIT: Record<string, (id: string) => string> = {
  'with a line break of MIME': (id) => `${id.slice(0, 12)}\r\n${id.slice(12)}`,
  'with a blank in front': (id) => ` ${id}`,
  'with a blank at the end': (id) => `${id} `,
  'with a control character': (id) => `${id}\u0007`,
  'with a zero-width space': (id) => `${id}\u200b`,
  'of padding alone': () => '====',
};

/** An id that uses `+`, `/` and padding, fresh for each case: 25 bytes need `==`. */
const richId = (): string => `+/${randomPlatformSessionId().slice(2, 22)}/+A=`.padEnd(28, '=');

const urlSafe = (id: string): string => id.replaceAll('+', '-').replaceAll('/', '_');
const unpadded = (id: string): string => id.replace(/=+$/, '');

const SPELLINGS: readonly (readonly [string, (id: string) => string])[] = [
  ['the standard alphabet with padding', (id) => id],
  ['the standard alphabet without padding', unpadded],
  ['the URL-safe alphabet with padding', urlSafe],
  ['the URL-safe alphabet without padding', (id) => unpadded(urlSafe(id))],
];

const everySpelling = SPELLINGS.flatMap(([name, spell]) => [
  prove(`an id is found by ${name}, and answered as registered`, async (context) => {
    const id = richId();
    const session = await withId(context, id);
    const player = await newPlayer(context);
    const spelled = { platform: 'Steam', platformSessionId: spell(id) };
    const joined = await join(context, spelled, player);
    assert.equal(joined.session_id, session.session_id);
    assert.equal(joined.platform_session[0]?.platform_session_id_base64, id);
  }),
  prove(`an id registered in ${name} is found by the other spellings`, async (context) => {
    const id = richId();
    const session = await withId(context, spell(id));
    const player = await newPlayer(context);
    for (const [, other] of SPELLINGS) {
      const spelled = { platform: 'Steam', platformSessionId: other(id) };
      const joined = await join(context, spelled, player);
      assert.equal(joined.session_id, session.session_id);
      assert.equal(joined.platform_session[0]?.platform_session_id_base64, spell(id));
    }
  }),
]);

/** An id whose every character needs a percent-escape; `length` characters, unlike any other. */
const slashes = (length: number): string => {
  const bits = Buffer.from(randomPlatformSessionId(), 'base64').subarray(0, 8);
  const unique = [...bits].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  const tail = unique.replaceAll('0', '/').replaceAll('1', '+');
  return `${'/'.repeat(length - tail.length)}${tail}`;
};

const randomFill = (length: number): string => randomPlatformSessionId().padEnd(length, 'A');

export const platformSessionIdCases = [
  ...everySpelling,
  prove('%2F and %2B in the path are part of the id', async (context) => {
    const id = `a/b+${randomPlatformSessionId()}`;
    await withId(context, id);
    const player = await newPlayer(context);
    assert.match(joinPath({ platform: 'Steam', platformSessionId: id }, player), /a%2Fb%2B/);
    await join(context, { platform: 'Steam', platformSessionId: id }, player);
  }),
  prove('a + that is not escaped in the path is a plus sign, not a space', async (context) => {
    const id = `a+b${randomPlatformSessionId().replaceAll('/', '+')}`;
    const session = await withId(context, id);
    const player = await newPlayer(context);
    const path = joinPath(session, player).replace(encodeURIComponent(id), id);
    assert.ok(path.includes('a+b'));
    expectSession(await context.post(path, joinBody()));
  }),
  prove('escapes may be written in lower-case hexadecimal', async (context) => {
    const id = `a/b${randomPlatformSessionId()}`;
    const session = await withId(context, id);
    const player = await newPlayer(context);
    const path = joinPath(session, player).replaceAll('%2F', '%2f').replaceAll('%2B', '%2b');
    expectSession(await context.post(path, joinBody()));
  }),
  prove('an id of 4096 characters is found', async (context) => {
    const id = randomFill(4096);
    const session = await withId(context, id);
    const joined = await join(context, session, await newPlayer(context));
    assert.equal(joined.platform_session[0]?.platform_session_id_base64, id);
  }),
  prove('an id of 4097 characters is a 422 in the path', async (context) => {
    const name = { platform: 'Steam', platformSessionId: randomFill(4097) };
    const answer = await tryJoin(context, name, await newPlayer(context));
    expectProblem(answer, 'path.platform_session_id_base64', 'value_error.any_str.max_length');
  }),
  prove('an id of 4097 characters cannot be registered', async (context) => {
    await refuseId(context, randomFill(4097));
  }),
  prove('an id of 4096 characters that is 12 KiB once encoded is found', async (context) => {
    const id = slashes(4096);
    const session = await withId(context, id);
    const player = await newPlayer(context);
    assert.equal(encodeURIComponent(id).length, 3 * 4096);
    const joined = await join(context, session, player);
    assert.equal(joined.platform_session[0]?.platform_session_id_base64, id);
  }),
  prove('4096 characters are Unicode characters: astral ones count once', async (context) => {
    // Each astral character is 12 bytes in a path, and the request line has 32 KiB.
    const id = `${randomFill(2_096)}${ASTRAL.repeat(2_000)}`;
    const session = await withId(context, id);
    const player = await newPlayer(context);
    await join(context, session, player);
    const longer = { platform: 'Steam', platformSessionId: `${id}${ASTRAL}` };
    const answer = await tryJoin(context, longer, player);
    expectProblem(answer, 'path.platform_session_id_base64', 'value_error.any_str.max_length');
  }),
  prove('the id is opaque: it need not be base64 at all', async (context) => {
    const id = `lobby~#?&%:@é${randomPlatformSessionId()}`;
    const joined = await join(context, await withId(context, id), await newPlayer(context));
    assert.equal(joined.platform_session[0]?.platform_session_id_base64, id);
  }),
  ...Object.entries(UNFIT).map(([name, spoil]) =>
    prove(`an id ${name} cannot be registered: 400 at its member`, async (context) => {
      const id = spoil(randomPlatformSessionId());
      const place = 'body.platform_session.0.platform_session_id_base64';
      assert.deepEqual(await refuseId(context, id), [400, [place]]);
      const session = await newSession(context);
      const child = { ...keyOf(session), ...byId(id).platform_session[0] };
      const added = await expectAdminRefusal(context, 'sessions.addPlatformSession', child);
      assert.deepEqual(describe(added), [400, ['body.platform_session_id_base64']]);
    }),
  ),
  prove('upper and lower case are different ids', async (context) => {
    const id = `Ab${randomPlatformSessionId()}`;
    const session = await withId(context, id);
    const other = { ...session, platformSessionId: `aB${id.slice(2)}` };
    const answer = await tryJoin(context, other, await newPlayer(context));
    expectRefusal(answer, 404, 'platform_session_not_found');
  }),
  prove('the same id on another platform is another platform session', async (context) => {
    const id = randomPlatformSessionId();
    const onSteam = await withId(context, id, 'Steam');
    const onEpic = await withId(context, id, 'Epic');
    const player = await newPlayer(context);
    assert.equal((await join(context, onSteam, player)).session_id, onSteam.session_id);
    assert.equal((await join(context, onEpic, player)).session_id, onEpic.session_id);
  }),
  prove('two spellings of one id cannot belong to two sessions', async (context) => {
    const id = richId();
    await withId(context, id);
    await refuseId(context, unpadded(urlSafe(id)));
  }),
  prove('a malformed percent-escape in the path is a 422', async (context) => {
    const player = await newPlayer(context);
    for (const malformed of ['%', '%Z', '%ZZ', 'abc%2', '%C3%28']) {
      const path = `/session/v1/platform/Steam/platform-session/${malformed}/player/${player}`;
      expectProblems(await context.post(path, joinBody()));
    }
  }),
  prove('U+0000 in the id is a 422', async (context) => {
    const name = { platform: 'Steam', platformSessionId: 'a\u0000b' };
    const answer = await tryJoin(context, name, await newPlayer(context));
    expectProblem(answer, 'path.platform_session_id_base64');
  }),
  prove('a session is found by each of its platform sessions', async (context) => {
    const [first, second] = [randomPlatformSessionId(), randomPlatformSessionId()];
    const session = await newSession(context, {
      platform_session: [
        { platform: 'PSN', platform_session_type: 'a', platform_session_id_base64: first },
        { platform: 'XboxLive', platform_session_type: 'b', platform_session_id_base64: second },
      ],
    });
    const player = await newPlayer(context);
    const other = { platform: 'XboxLive', platformSessionId: second };
    assert.equal((await join(context, session, player)).session_id, session.session_id);
    assert.equal((await join(context, other, player)).session_id, session.session_id);
  }),
];

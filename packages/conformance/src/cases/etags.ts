import assert from 'node:assert/strict';
import { expectSession } from '../checks.ts';
import {
  join,
  newPlayer,
  newPlayers,
  raceToJoin,
  randomPlatformSessionId,
  tryJoin,
} from '../fixtures/joins.ts';
import type { SessionFixture } from '../fixtures/sessions.ts';
import {
  changeSession,
  instanceInput,
  newScene,
  newSession,
  readSession,
} from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('ETag');

/** The session's ETag as a seated player sees it, who joins again and changes nothing. */
const etagSeenBy = async (context: Context, session: SessionFixture, player: string) => {
  const answer = await tryJoin(context, session, player);
  expectSession(answer);
  return answer.headers.etag;
};

/** A session, the player who is seated in it, and the ETag that they see. */
const seatedSession = async (context: Context) => {
  const [session, player] = await newScene(context, { instance: instanceInput() });
  await join(context, session, player);
  return [session, player, await etagSeenBy(context, session, player)] as const;
};

const CHANGES: readonly (readonly [string, Record<string, unknown>])[] = [
  ['joinable', { joinable: false }],
  ['region_id', { region_id: 'us-west' }],
  ['custom_data', { custom_data: { mode: 'ctf' } }],
  ['browser', { browser: { custom_data: { title: 'mine' } } }],
  ['matchmaking', { matchmaking: { ticket_id: 'ticket' } }],
  ['matchmaking_results', { matchmaking_results: { match_making_id: 'mm' } }],
  ['match', { match: { match_id: 'match' } }],
  ['backfill', { backfill: { backfill_id: 'b' } }],
  ['created_by_matchmaking', { created_by_matchmaking: true }],
];

export const etagCases = [
  ...CHANGES.map(([field, change]) =>
    prove(
      `a change of ${field} gives a new ETag, and setting it again keeps it`,
      async (context) => {
        const [session, player, before] = await seatedSession(context);
        const changed = await changeSession(context, session, 'update', change);
        const after = await etagSeenBy(context, session, player);
        assert.notEqual(after, before);
        assert.equal(after, changed.etag, 'admins and players see the same ETag');
        const { [field as 'match']: stored } = changed.session;
        await changeSession(context, session, 'update', { [field]: stored });
        assert.equal(await etagSeenBy(context, session, player), after);
      },
    ),
  ),
  prove('an update that changes nothing keeps the ETag', async (context) => {
    const [session, player, before] = await seatedSession(context);
    await changeSession(context, session, 'update', { joinable: true });
    await changeSession(context, session, 'update', {});
    assert.equal(await etagSeenBy(context, session, player), before);
  }),
  prove('clearing what is not there keeps the ETag', async (context) => {
    const [session, player, before] = await seatedSession(context);
    await changeSession(context, session, 'update', { region_id: null, browser: null });
    assert.equal(await etagSeenBy(context, session, player), before);
  }),
  prove('reading a session keeps the ETag', async (context) => {
    const [session, player, before] = await seatedSession(context);
    assert.equal((await readSession(context, session)).etag, before);
    assert.equal(await etagSeenBy(context, session, player), before);
  }),
  prove(
    'a change of the instance gives a new ETag, the same instance keeps it',
    async (context) => {
      const [session, player, before] = await seatedSession(context);
      const { instance } = session.session;
      await changeSession(context, session, 'setInstance', { instance });
      assert.equal(await etagSeenBy(context, session, player), before);
      const health = { ...instance, instance_health: 'degraded' };
      await changeSession(context, session, 'setInstance', { instance: health });
      assert.notEqual(await etagSeenBy(context, session, player), before);
    },
  ),
  prove('an invite and a removal give new ETags', async (context) => {
    const [session, player, before] = await seatedSession(context);
    const other = await newPlayer(context);
    const invite = { player_uuid: other, team_id: 0, status: 'invited' };
    const invited = await changeSession(context, session, 'invitePlayer', invite);
    assert.notEqual(invited.etag, before);
    const removed = await changeSession(context, session, 'removePlayer', { player_uuid: other });
    assert.notEqual(removed.etag, invited.etag);
    assert.equal(await etagSeenBy(context, session, player), removed.etag);
  }),
  prove('another platform session gives a new ETag', async (context) => {
    const [session, player, before] = await seatedSession(context);
    await changeSession(context, session, 'addPlatformSession', {
      platform: 'PSN',
      platform_session_type: 'lobby',
      platform_session_id_base64: randomPlatformSessionId(),
    });
    assert.notEqual(await etagSeenBy(context, session, player), before);
  }),
  prove('different contents never share an ETag: 20 joins give 20 ETags', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 20 }] });
    const etags = new Set<string | undefined>();
    for (const player of await newPlayers(context, 20)) {
      etags.add((await tryJoin(context, session, player)).headers.etag);
    }
    assert.equal(etags.size, 20);
  }),
  prove('an ETag never names two contents, under 30 concurrent joins', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 30 }] });
    const players = await newPlayers(context, 30);
    const answers = await Promise.all(
      players.map((player) => raceToJoin(context, session, player)),
    );
    const contents = new Map<string | undefined, string>();
    for (const { headers, text } of answers) {
      assert.equal(contents.get(headers.etag) ?? text, text);
      contents.set(headers.etag, text);
    }
  }),
];

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  expectAdminRefusal,
  expectProblem,
  expectRefusal,
  expectSession,
  seatOf,
} from '../checks.ts';
import {
  join,
  newPlayer,
  randomLegacyId,
  randomLetteredUuid,
  selfJoin,
  tryJoin,
  trySelfJoin,
} from '../fixtures/joins.ts';
import { changeSession, keyOf, newScene, newSession } from '../fixtures/sessions.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Joining: players and legacy ids');

export const joinPlayerCases = [
  prove(
    'acting for a player the service has never seen is 404 player_not_found',
    async (context) => {
      const session = await newSession(context);
      expectRefusal(await tryJoin(context, session, randomUUID()), 404, 'player_not_found');
    },
  ),
  prove('a player is known on its first accepted self-join', async (context) => {
    const player = randomUUID();
    await selfJoin(context, await newSession(context), player);
    await join(context, await newSession(context), player);
  }),
  prove('a player is known once registered by an admin', async (context) => {
    await join(context, await newSession(context), await newPlayer(context));
  }),
  prove(
    'player_id is recorded for a caller who may act for any player, and echoed',
    async (context) => {
      const [session, player] = await newScene(context);
      const id = randomLegacyId();
      const joined = await join(context, session, player, { query: `?player_id=${id}` });
      assert.equal(seatOf(joined, player).player_id, id);
      const elsewhere = await join(context, await newSession(context), player);
      assert.equal(seatOf(elsewhere, player).player_id, id, 'it is recorded for the player');
    },
  ),
  prove('a player_id that an admin registered is echoed in the seat', async (context) => {
    const id = randomLegacyId();
    const player = await newPlayer(context, { player_id: id });
    const joined = await join(context, await newSession(context), player);
    assert.equal(seatOf(joined, player).player_id, id);
  }),
  prove('the player_id that is known may be given again', async (context) => {
    const session = await newSession(context);
    const id = randomLegacyId();
    const player = await newPlayer(context, { player_id: id });
    const first = await tryJoin(context, session, player, { query: `?player_id=${id}` });
    const again = await trySelfJoin(context, session, player, { query: `?player_id=${id}` });
    assert.equal(again.status, 200, again.text);
    assert.equal(again.headers.etag, first.headers.etag);
  }),
  prove('a player_id that contradicts the known one is 404 player_not_found', async (context) => {
    const session = await newSession(context);
    const id = randomLegacyId();
    const player = await newPlayer(context, { player_id: id });
    const answer = await tryJoin(context, session, player, { query: `?player_id=${id + 1}` });
    expectRefusal(answer, 404, 'player_not_found');
  }),
  prove('a self-join with a player_id that contradicts the known one is 404', async (context) => {
    const session = await newSession(context);
    const id = randomLegacyId();
    const player = await newPlayer(context, { player_id: id });
    const answer = await trySelfJoin(context, session, player, { query: `?player_id=${id + 1}` });
    expectRefusal(answer, 404, 'player_not_found');
  }),
  prove(
    'on a self-join an unknown player_id is ignored: neither recorded nor echoed',
    async (context) => {
      const session = await newSession(context);
      const [player, id] = [randomUUID(), randomLegacyId()];
      const joined = await selfJoin(context, session, player, { query: `?player_id=${id}` });
      assert.equal('player_id' in seatOf(joined, player), false);
      const owner = await newPlayer(context);
      const recorded = await join(context, session, owner, { query: `?player_id=${id}` });
      assert.equal(seatOf(recorded, owner).player_id, id, 'the id was not claimed');
    },
  ),
  prove('player_id never names the player: the path does', async (context) => {
    const session = await newSession(context);
    const victimId = randomLegacyId();
    await newPlayer(context, { player_id: victimId });
    const attacker = randomUUID();
    const answer = await trySelfJoin(context, session, attacker, {
      query: `?player_id=${victimId}`,
    });
    if (answer.status === 200) {
      assert.ok(!answer.text.includes(String(victimId)), 'the id of another player is echoed');
    } else {
      expectRefusal(answer, 404, 'player_not_found');
    }
  }),
  prove('player_id takes every safe integer', async (context) => {
    for (const sign of [1, -1]) {
      const id = sign * (Number.MAX_SAFE_INTEGER - randomLegacyId());
      const player = await newPlayer(context);
      const session = await newSession(context);
      const joined = await join(context, session, player, { query: `?player_id=${id}` });
      assert.equal(seatOf(joined, player).player_id, id);
    }
  }),
  prove('a player_id that is no safe integer is a 422 in the query', async (context) => {
    const [session, player] = await newScene(context);
    const wrong = ['', 'x', '1.5', '1e3', '0x10', '%201', '9007199254740992', '-9007199254740992'];
    for (const value of wrong) {
      const answer = await tryJoin(context, session, player, { query: `?player_id=${value}` });
      expectProblem(answer, 'query.player_id');
    }
  }),
  prove('player_id given twice is a 422', async (context) => {
    const [session, player] = await newScene(context);
    const answer = await tryJoin(context, session, player, { query: '?player_id=1&player_id=1' });
    expectProblem(answer, 'query.player_id');
  }),
  prove('unknown query parameters are ignored', async (context) => {
    const [session, player] = await newScene(context);
    await join(context, session, player, { query: '?colour=red&colour=blue&x[y]=1&flag' });
  }),
  prove('an upper-case player UUID is taken and written in lower case', async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context, { player_uuid: randomLetteredUuid() });
    const joined = await join(context, session, player.toUpperCase());
    assert.equal(seatOf(joined, player).player_uuid, player);
    const again = await join(context, session, player);
    assert.equal(seatOf(again, player).player_uuid, player, 'both spellings are one player');
  }),
  prove('a player UUID without hyphens is taken and written with them', async (context) => {
    const session = await newSession(context);
    const player = await newPlayer(context, { player_uuid: randomLetteredUuid() });
    const bare = player.replaceAll('-', '');
    const joined = await join(context, session, bare.toUpperCase());
    assert.equal(seatOf(joined, player).player_uuid, player);
    const again = await tryJoin(context, session, player);
    assert.equal(seatOf(expectSession(again), player).player_uuid, player);
    assert.equal(again.headers.etag, (await tryJoin(context, session, bare)).headers.etag);
  }),
  prove('a self-join is one in whatever form its token names the player', async (context) => {
    const player = randomLetteredUuid();
    const session = await newSession(context);
    for (const sub of [player.toUpperCase(), player.replaceAll('-', '')]) {
      const answer = await trySelfJoin(context, session, player, { claims: { sub } });
      assert.equal(seatOf(expectSession(answer), player).player_uuid, player);
    }
  }),
  prove('the admin API takes UUIDs without hyphens', async (context) => {
    const player = randomLetteredUuid();
    await newPlayer(context, { player_uuid: player.replaceAll('-', '').toUpperCase() });
    const joined = await join(context, await newSession(context), player);
    assert.equal(seatOf(joined, player).player_uuid, player);
  }),
  prove('a UUID without version bits is taken', async (context) => {
    const session = await newSession(context);
    const player = `${randomUUID().slice(0, 13)}-0000-0000-${randomUUID().slice(24)}`;
    await newPlayer(context, { player_uuid: player });
    assert.equal(seatOf(await join(context, session, player), player).player_uuid, player);
  }),
  prove('a player_uuid that is no UUID is a 422 in the path', async (context) => {
    const session = await newSession(context);
    const uuid = randomUUID();
    const wrong = [
      'me',
      uuid.slice(1),
      `${uuid}0`,
      `${uuid.replaceAll('-', '')}0`,
      `%7B${uuid}%7D`,
    ];
    for (const player of [...wrong, `${uuid.slice(0, -1)}g`]) {
      expectProblem(await tryJoin(context, session, player), 'path.player_uuid');
    }
  }),
  prove('an invited seat shows the legacy id that is known', async (context) => {
    const id = randomLegacyId();
    const player = await newPlayer(context, { player_id: id });
    const invite = { player_uuid: player, team_id: 0 };
    const session = await newSession(context);
    const { session: after } = await changeSession(context, session, 'invitePlayer', invite);
    assert.equal(seatOf(after, player).player_id, id);
  }),
  prove('an invite records the legacy id that it names', async (context) => {
    const [player, id] = [randomUUID(), randomLegacyId()];
    const invite = { player_uuid: player, team_id: 0, player_id: id };
    const session = await newSession(context);
    const { session: after } = await changeSession(context, session, 'invitePlayer', invite);
    assert.equal(seatOf(after, player).player_id, id);
    const joined = await join(context, await newSession(context), player);
    assert.equal(seatOf(joined, player).player_id, id, 'it is recorded for the player');
    const other = { ...invite, player_uuid: randomUUID() };
    const input = { ...keyOf(session), ...other };
    const refused = await expectAdminRefusal(context, 'sessions.invitePlayer', input);
    assert.equal(refused.error_code, 'player_id_taken');
  }),
  prove('an invite may name a sender, written in lower case', async (context) => {
    const [session, player] = await newScene(context);
    const sender = await newPlayer(context, { player_uuid: randomLetteredUuid() });
    const { session: after } = await changeSession(context, session, 'invitePlayer', {
      player_uuid: player,
      team_id: 0,
      status: 'invited',
      inviting_player_uuid: sender.toUpperCase(),
    });
    assert.equal(seatOf(after, player).inviting_player_uuid, sender);
  }),
];

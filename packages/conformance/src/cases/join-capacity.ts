import assert from 'node:assert/strict';
import { expectRefusal, expectSession, findSeat, seatsOf, statusOf, teamOf } from '../checks.ts';
import { join, newPlayer, newPlayers, raceToJoin, tryJoin } from '../fixtures/joins.ts';
import { changeSession, newScene, newSession, readSession } from '../fixtures/sessions.ts';
import { inSection } from '../target/context.ts';

const prove = inSection('Capacity and races');

export const joinCapacityCases = [
  prove('team_full: that team is full while another has room', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 2 }, { max_size: 1 }] });
    for (const player of await newPlayers(context, 2)) await join(context, session, player);
    const late = await newPlayer(context);
    expectRefusal(await tryJoin(context, session, late), 409, 'team_full');
    const joined = await join(context, session, late, { body: { team_id: 1 } });
    assert.equal(teamOf(joined, late), 1);
  }),
  prove('session_full: every team is full', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 1 }, { max_size: 1 }] });
    const [first, second, late] = await newPlayers(context, 3);
    await join(context, session, first, { body: { team_id: 0 } });
    await join(context, session, second, { body: { team_id: 1 } });
    for (const team_id of [0, 1]) {
      const answer = await tryJoin(context, session, late, { body: { team_id } });
      expectRefusal(answer, 409, 'session_full');
    }
  }),
  prove('a seated player cannot move into a full team and keeps the old seat', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 1 }, { max_size: 1 }] });
    const [first, second] = await newPlayers(context, 2);
    await join(context, session, first, { body: { team_id: 0 } });
    await join(context, session, second, { body: { team_id: 1 } });
    const answer = await tryJoin(context, session, first, { body: { team_id: 1 } });
    expectRefusal(answer, 409, 'team_full', 'session_full');
    assert.equal(teamOf((await readSession(context, session)).session, first), 0);
  }),
  prove('a seated player may join a full team again', async (context) => {
    const [session, player] = await newScene(context, { teams: [{ max_size: 1 }] });
    await join(context, session, player);
    await join(context, session, player, { body: { custom_data: { a: 'b' } } });
  }),
  prove('a seat that is given up is free again', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 1 }] });
    const [first, second] = await newPlayers(context, 2);
    await join(context, session, first);
    await changeSession(context, session, 'removePlayer', { player_uuid: first });
    await join(context, session, second);
  }),
  prove('a team takes max_size players and not one more', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 5 }] });
    const players = await newPlayers(context, 6);
    for (const player of players.slice(0, 5)) await join(context, session, player);
    const [last] = players.slice(5);
    assert.ok(last);
    expectRefusal(await tryJoin(context, session, last), 409, 'session_full');
  }),
  prove('the last seat of a team goes to exactly one of 50 racing players', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 3 }, { max_size: 4 }] });
    for (const player of await newPlayers(context, 2)) await join(context, session, player);
    const players = await newPlayers(context, 50);
    const answers = await Promise.all(
      players.map((player) => raceToJoin(context, session, player)),
    );
    const winners = answers.filter((answer) => answer.status === 200);
    assert.equal(winners.length, 1);
    for (const answer of answers) {
      if (answer.status !== 200) expectRefusal(answer, 409, 'team_full');
    }
    const after = (await readSession(context, session)).session;
    assert.equal(after.teams[0]?.players.length, 3);
    assert.ok(players.some((player) => findSeat(after, player)));
  }),
  prove('50 players racing for 50 seats all get one', async (context) => {
    const session = await newSession(context, { teams: [{ max_size: 25 }, { max_size: 25 }] });
    const players = await newPlayers(context, 50);
    const answers = await Promise.all(
      players.map((player, index) =>
        raceToJoin(context, session, player, { body: { team_id: index % 2 } }),
      ),
    );
    answers.forEach((answer, index) => {
      assert.ok(findSeat(expectSession(answer), players[index] ?? ''), 'the answer shows the seat');
    });
    const after = (await readSession(context, session)).session;
    assert.deepEqual(
      after.teams.map((team) => team.players.length),
      [25, 25],
    );
    assert.equal(new Set(answers.map((answer) => answer.headers.etag)).size > 0, true);
  }),
  prove(
    'the same player racing with itself 50 times gets one seat and 50 times 200',
    async (context) => {
      const [session, player] = await newScene(context, { teams: [{ max_size: 1 }] });
      const answers = await Promise.all(
        Array.from({ length: 50 }, () => raceToJoin(context, session, player)),
      );
      for (const answer of answers) assert.equal(statusOf(expectSession(answer), player), 'leader');
      assert.equal(new Set(answers.map((answer) => answer.headers.etag)).size, 1);
      assert.equal(new Set(answers.map((answer) => answer.text)).size, 1);
      assert.equal(seatsOf((await readSession(context, session)).session).length, 1);
    },
  ),
  prove('one player racing for both teams ends in one of them', async (context) => {
    const [session, player] = await newScene(context);
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        raceToJoin(context, session, player, { body: { team_id: index % 2 } }),
      ),
    );
    for (const answer of answers) assert.equal(seatsOf(expectSession(answer)).length, 1);
    assert.equal(seatsOf((await readSession(context, session)).session).length, 1);
  }),
];

import { randomUUID } from 'node:crypto';
import { createTestDatabase } from '@muster/database/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateSession } from './session-changes.ts';
import type { JoinNode } from './testing/join-nodes.ts';
import { ACTOR, startNode } from './testing/join-nodes.ts';

let node: JoinNode;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createTestDatabase();
  drop = database.drop;
  node = startNode(database.url);
});
afterAll(async () => {
  await node.database.close();
  await drop();
});

test('a join that waits together with a leave of the same player returns the seat', async () => {
  const platformSessionId = randomUUID();
  const { session } = await node.sessions.createSession(ACTOR, {
    type: 'match',
    joinable: true,
    teams: [{ max_size: 4 }],
    platform_session: [
      {
        platform: 'Steam',
        platform_session_type: 'lobby',
        platform_session_id_base64: platformSessionId,
      },
    ],
  });
  await node.join(platformSessionId);
  // The queue of the session is busy until this change may commit.
  const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>();
  const busy = node.queue.change(session.key, {
    accountId: 'backend',
    decide: (current, at) => updateSession(current, { joinable: true, region_id: 'eu' }, at),
    inTransaction: () => () => mayCommit,
  });
  const player = randomUUID();
  const joining = node.join(platformSessionId, player);
  await expect.poll(() => node.queue.waiting).toBe(2);
  const leaving = node.sessions.leaveSession(player, session, player);
  await expect.poll(() => node.queue.waiting).toBe(3);
  commit();
  await busy;
  expect((await joining).seats.has(player)).toBe(true);
  await leaving;
  expect((await node.sessions.getSession(session)).seats.has(player)).toBe(false);
});

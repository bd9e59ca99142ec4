// Refused joins of players.
import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { requestJoin } from './sessions.ts';
import type { Web } from './web.ts';

/** Waits until the service has written this many refused joins of the player. */
export const waitForRefused = (web: Web, player: string, count = 1): Promise<void> =>
  vi.waitFor(
    () =>
      web.withDatabase(async ({ pool }) => {
        const { rowCount } = await pool.query('SELECT FROM refused_join WHERE player_uuid = $1', [
          player,
        ]);
        expect(rowCount).toBe(count);
      }),
    { timeout: 20_000, interval: 250 },
  );

/** Moves the refused joins of a player to a moment: their ids are times. */
export const moveRefusedJoins = (web: Web, player: string, at: string): Promise<unknown> =>
  web.withDatabase(({ pool }) =>
    pool.query(
      `UPDATE refused_join SET refused_at = $2::timestamptz, refusal_id = (
         lpad(to_hex((extract(epoch FROM $2::timestamptz) * 1000)::bigint), 12, '0') ||
         substr(replace(refusal_id::text, '-', ''), 13))::uuid
       WHERE player_uuid = $1`,
      [player, at],
    ),
  );

/** A join on PlayStation that finds no platform session. */
export const refuseOnPlayStation = async (
  web: Web,
  player: string,
  platformSessionId: string = randomUUID(),
): Promise<string> => {
  const { status } = await requestJoin(web, { platform: 'PSN', platformSessionId }, player, {});
  expect(status).toBe(404);
  return platformSessionId;
};

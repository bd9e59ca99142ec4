// Counts attempts within windows of time: one statement, so that no two processes both take the last one.
import type { Database } from '@muster/database';
import { runPrepared } from '@muster/database';

/** A window begins with its first attempt. Counting stops at the limit, so that waiting always helps. */
const TAKE = {
  name: 'take_account_attempt',
  text: `
    INSERT INTO account_throttle AS t (key, attempts, window_started_at) VALUES ($1, 1, $4)
    ON CONFLICT (key) DO UPDATE SET
      attempts = CASE WHEN t.window_started_at <= $4::timestamptz - $3 * interval '1 second' THEN 1
                      ELSE least(t.attempts, $2) + 1 END,
      window_started_at = CASE WHEN t.window_started_at <= $4::timestamptz - $3 * interval '1 second'
                               THEN $4 ELSE t.window_started_at END
    RETURNING attempts, window_started_at AS "windowStartedAt"`,
};

const GIVE_BACK = {
  name: 'give_back_account_attempt',
  text: 'UPDATE account_throttle SET attempts = attempts - 1 WHERE key = $1 AND attempts > 0',
};

/** No window is longer than a day. */
const FORGET = {
  name: 'forget_account_attempts',
  text: `DELETE FROM account_throttle WHERE window_started_at < $1::timestamptz - interval '1 day'`,
};

export type Attempt = { attempts: number; windowStartedAt: Date };
export type ThrottleRule = { key: string; limit: number; windowSeconds: number };
export type ThrottleStore = ReturnType<typeof createThrottleStore>;

export const createThrottleStore = ({ pool }: Database) => ({
  take: async ({ key, limit, windowSeconds }: ThrottleRule, now: Date): Promise<Attempt> => {
    const [row] = await runPrepared<Attempt>(pool, TAKE, [key, limit, windowSeconds, now]);
    return row ?? { attempts: 1, windowStartedAt: now };
  },
  giveBack: async (key: string): Promise<void> => {
    await runPrepared(pool, GIVE_BACK, [key]);
  },
  forgetOld: async (now: Date): Promise<void> => {
    await runPrepared(pool, FORGET, [now]);
  },
});

import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expectProblems, expectRefusal, expectSession } from '../checks.ts';
import { joinBody, joinPath, playerToken } from '../fixtures/joins.ts';
import { ROUTES } from '../fixtures/routes.ts';
import { newSession } from '../fixtures/sessions.ts';
import type { Context } from '../target/context.ts';
import { bearer, inSection } from '../target/context.ts';
import type { Answer } from '../target/send-request.ts';
import { SkippedCase } from '../target/send-request.ts';

const prove = inSection('Rate limits');

/** A player has 60 requests at once and 10 a second, in each process of the service. */
const MAX_REQUESTS = 400;

/** A player may have 8 requests in progress. */
const AT_ONCE = 4;

/**
 * Sends requests, which have a 422 while they are within the limit, until the first is refused. Returns that response.
 * Skips the case when the service accepts all of them.
 */
const exhaust = async (send: () => Promise<Answer>): Promise<Answer> => {
  for (let sent = 0; sent < MAX_REQUESTS; sent += AT_ONCE) {
    const answers = await Promise.all(Array.from({ length: AT_ONCE }, send));
    const refused = answers.find(({ status }) => status !== 422);
    for (const answer of answers) if (answer.status === 422) expectProblems(answer);
    if (refused) return refused;
  }
  throw new SkippedCase(
    `needs a service that refuses ${MAX_REQUESTS} requests of a player at once`,
  );
};

/** Sends joins until the player is over its limit. They are not valid: the limit is checked before the body is. */
const exhaustJoins = async (context: Context, path: string, token: string): Promise<Answer> => {
  const refused = await exhaust(() => context.postText(path, '{', bearer(token)));
  expectRefusal(refused, 409, 'rate_limited');
  return refused;
};

export const rateLimitCases = [
  prove(
    'a player over its limit gets 409 rate_limited, and joins after Retry-After',
    async (context) => {
      const player = randomUUID();
      const token = await playerToken(context, player);
      const path = joinPath(await newSession(context), player);
      const refused = await exhaustJoins(context, path, token);
      await wait(Number(refused.headers['retry-after']) * 1_000);
      expectSession(await context.post(path, joinBody(), token));
    },
  ),
  prove('a player over its limit does not keep another one from joining', async (context) => {
    const session = await newSession(context);
    const [flooding, other] = [randomUUID(), randomUUID()];
    const token = await playerToken(context, flooding);
    await exhaustJoins(context, joinPath(session, flooding), token);
    const ofOther = await playerToken(context, other);
    expectSession(await context.post(joinPath(session, other), joinBody(), ofOther));
  }),
  ...ROUTES.filter(([, method]) => method === 'GET').map(([name, , path]) =>
    prove(`a player over its limit gets 429 rate_limited from ${name}`, async (context) => {
      context.requireHistoryAccess('authenticated');
      const headers = bearer(await playerToken(context, randomUUID()));
      const refused = await exhaust(() => context.get(`${path}?page_size=0`, headers));
      expectRefusal(refused, 429, 'rate_limited');
    }),
  ),
];

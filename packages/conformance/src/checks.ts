// What every answer of the public endpoints must be, whatever the case is about.
import assert from 'node:assert/strict';
import type { SessionPlayer } from '@muster/contract';
import { Session } from '@muster/contract';
import { z } from 'zod';
import { blame } from './runner.ts';
import type { Context } from './target/context.ts';
import type { Answer } from './target/send-request.ts';

/** Runs the checks so that a failure names this answer. */
const about = <Value>(answer: Answer, check: () => Value): Value => {
  try {
    return check();
  } catch (error) {
    throw blame(error, answer);
  }
};

const assertJson = (answer: Answer, status: number): void => {
  assert.equal(answer.status, status, `status: expected ${status}, got ${answer.status}`);
  assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/, 'content type');
  assert.notEqual(answer.body, undefined, 'the body is not JSON');
};

/** Walks a body: absent fields are left out, never null. */
const assertNoNull = (value: unknown, path = 'body'): void => {
  assert.notEqual(value, null, `${path} is null; an absent field is omitted`);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, child] of Object.entries(value)) assertNoNull(child, `${path}.${key}`);
};

/** A strong entity tag (RFC 9110 section 8.8.3): quoted, without `W/`. */
const STRONG_ETAG = /^"[\x21\x23-\x7e]+"$/;

/** 200 with the session resource and its strong ETag; null nowhere. */
export const expectSession = (answer: Answer): Session =>
  about(answer, () => {
    assertJson(answer, 200);
    assertNoNull(answer.body);
    assert.match(answer.headers.etag ?? '', STRONG_ETAG, 'the ETag is not a strong one');
    return Session.parse(answer.body);
  });

const ServiceError = z.object({
  auth_success: z.boolean().optional(),
  error_code: z.string(),
  desc: z.string().min(1),
});
type ServiceError = z.infer<typeof ServiceError>;

/** The service error body with this status and one of these codes, and what goes with the status. */
export const expectRefusal = (answer: Answer, status: number, ...codes: string[]): ServiceError =>
  about(answer, () => {
    assertJson(answer, status);
    const body = ServiceError.parse(answer.body);
    assert.ok(codes.includes(body.error_code), `error_code ${body.error_code}, not ${codes}`);
    const isCuredByNewToken = /^auth_(?!token_too_large$)/.test(body.error_code);
    if (status === 403) assert.equal(body.auth_success, !isCuredByNewToken);
    if (status === 409 || status === 429) assertRetryAfter(answer, body.error_code);
    assert.equal(answer.headers.etag, undefined, 'a refusal carries no ETag');
    assertNoNull(answer.body);
    return body;
  });

const RETRY_AFTER: Record<string, readonly [from: number, to: number]> = {
  team_full: [5, 15],
  session_full: [5, 15],
  instance_unjoinable: [5, 15],
  instance_closed: [5, 15],
  rate_limited: [1, 60],
};

const assertRetryAfter = (answer: Answer, code: string): void => {
  const value = answer.headers['retry-after'] ?? '';
  assert.match(value, /^[1-9]\d*$/, 'Retry-After in whole seconds');
  const [from, to] = RETRY_AFTER[code] ?? [1, 3];
  const seconds = Number(value);
  assert.ok(seconds >= from && seconds <= to, `Retry-After of ${code} is ${value}`);
};

/** A 403 that tells the client to refresh its credential; any of the authentication codes. */
export const expectUnauthenticated = (answer: Answer, ...codes: string[]): void => {
  const any = ['missing', 'not_jwt', 'token_format', 'token_sig_invalid', 'token_expired'];
  const all = [...any, 'token_invalid_claim', 'token_unknown'].map((code) => `auth_${code}`);
  expectRefusal(answer, 403, ...(codes.length > 0 ? codes : all));
};

const Problem = z.strictObject({
  loc: z.array(z.union([z.string(), z.number()])).min(1),
  msg: z.string().min(1),
  type: z.string().regex(/^[a-z_]+(\.[a-z_]+)*$/),
});
const ValidationError = z.object({ detail: z.array(Problem).min(1) });
type Problem = z.infer<typeof Problem>;

const SOURCES = ['path', 'query', 'header', 'body'];

/** 422 in the documented body; gives its problems. */
export const expectProblems = (answer: Answer): Problem[] =>
  about(answer, () => {
    assertJson(answer, 422);
    const { detail } = ValidationError.parse(answer.body);
    for (const { loc } of detail) assert.ok(SOURCES.includes(String(loc[0])), `loc ${loc}`);
    return detail;
  });

/** 422 with a problem at this place (`body.team_id`) and, where the type is documented, of this type. */
export const expectProblem = (answer: Answer, place: string, type?: string): void => {
  const problems = expectProblems(answer);
  about(answer, () => {
    const here = problems.filter(({ loc }) => loc.join('.') === place);
    const places = problems.map(({ loc }) => loc.join('.'));
    assert.ok(here.length > 0, `no problem at ${place}; got ${places}`);
    if (type)
      assert.ok(
        here.some((problem) => problem.type === type),
        `type ${here[0]?.type}`,
      );
  });
};

/** 422 with exactly these places, in any order. */
export const expectProblemsAt = (answer: Answer, places: readonly string[]): void => {
  const found = new Set(expectProblems(answer).map(({ loc }) => loc.join('.')));
  about(answer, () => assert.deepEqual([...found].sort(), [...places].sort()));
};

/** 200 of any JSON body. */
export const expectOk = (answer: Answer): unknown =>
  about(answer, () => {
    assertJson(answer, 200);
    assertNoNull(answer.body);
    return answer.body;
  });

const AdminError = z.object({
  error: z.object({
    data: z.looseObject({
      httpStatus: z.int(),
      error_code: z.string(),
      detail: z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])) })).optional(),
    }),
  }),
});

export const readAdminError = ({ body }: Answer) => AdminError.parse(body).error.data;

/** The admin API refuses the input with a 4xx; gives the error's data. */
export const expectAdminRefusal = async (context: Context, procedure: string, input: unknown) => {
  const answer = await context.tryMutation(procedure, input);
  assert.ok(answer.status >= 400 && answer.status < 500, `${procedure}: ${answer.status}, not 4xx`);
  return readAdminError(answer);
};

export const seatsOf = (session: Session): SessionPlayer[] =>
  session.teams.flatMap((team) => team.players);

export const findSeat = (session: Session, playerUuid: string): SessionPlayer | undefined =>
  seatsOf(session).find((seat) => seat.player_uuid === playerUuid.toLowerCase());

/** Every `created` of a session and its parts. */
export const creationTimesOf = (session: Session): (string | undefined)[] => {
  const { created, instance, match, matchmaking_results } = session;
  return [created, instance?.created, match?.created, matchmaking_results?.created];
};

/** The one seat of the player. */
export const seatOf = (session: Session, playerUuid: string): SessionPlayer => {
  const seats = seatsOf(session).filter((seat) => seat.player_uuid === playerUuid.toLowerCase());
  assert.equal(seats.length, 1, `player ${playerUuid} has ${seats.length} seats`);
  const [seat] = seats;
  assert.ok(seat);
  return seat;
};

export const statusOf = (session: Session, playerUuid: string): string =>
  seatOf(session, playerUuid).status;

export const teamOf = (session: Session, playerUuid: string): number | undefined =>
  session.teams.find((team) => team.players.some((seat) => seat.player_uuid === playerUuid))
    ?.team_id;

export const leadersOf = (session: Session): string[] =>
  seatsOf(session)
    .filter((seat) => seat.status === 'leader')
    .map((seat) => seat.player_uuid);

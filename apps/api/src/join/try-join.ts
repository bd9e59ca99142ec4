// An admin composes a join as any player and sees what the public endpoint answers, and how a client would ask it.
import type { Actor } from '../audit/index.ts';
import type { Caller } from '../auth/index.ts';
import { auditSession } from '../sessions/index.ts';
import type { AnswerJoin, JoinAnswer, JoinParts } from './answer-join.ts';

/** Nothing of it is checked before: whatever is wrong with it is for the endpoint to say. */
export type TryJoinInput = {
  platform: string;
  platformSessionIdBase64: string;
  playerUuid: string;
  playerId?: string | undefined;
  /** The body as JSON; undefined sends none. */
  body: unknown;
};

export type PublicAnswer = { status: number; headers: Record<string, string>; body: unknown };

/** Puts a request before the handler of its route, with the edge's own validation, errors and headers. */
export type AnswerPublicly = (
  request: { target: string; body: string; requestId: string },
  handle: (parts: JoinParts) => Promise<JoinAnswer>,
) => Promise<PublicAnswer>;

export type TriedJoin = PublicAnswer & {
  request: { method: 'POST'; path: string; body: unknown };
  curl: string;
};

export type TryJoin = (actor: Actor, caller: Caller, input: TryJoinInput) => Promise<TriedJoin>;

export type TryJoinOptions = {
  answerJoin: AnswerJoin;
  answerPublicly: AnswerPublicly;
  now?: () => Date;
};

export const createTryJoin =
  ({ answerJoin, answerPublicly, now = () => new Date() }: TryJoinOptions): TryJoin =>
  async (actor, caller, input) => {
    const path = toTarget(input);
    const body = JSON.stringify(input.body) ?? '';
    const audit = { actor, action: 'sessions.tryJoin', about: { player_uuid: input.playerUuid } };
    const answer = await answerPublicly(
      { target: path, body, requestId: actor.requestId ?? '' },
      (parts) =>
        answerJoin(caller, parts, (before, after) => auditSession(audit, before, after, now())),
    );
    return {
      request: { method: 'POST', path, ...(input.body !== undefined && { body: input.body }) },
      ...answer,
      curl: toCurl(path, body),
    } as TriedJoin;
  };

const encode = (segment: string): string => encodeURIComponent(segment.toWellFormed());

const toTarget = (input: TryJoinInput): string => {
  const path = `/session/v1/platform/${encode(input.platform)}/platform-session/${encode(
    input.platformSessionIdBase64,
  )}/player/${encode(input.playerUuid)}`;
  return input.playerId === undefined ? path : `${path}?player_id=${encode(input.playerId)}`;
};

/** For a POSIX shell. Address and credential are variables: neither belongs into a text that people share. */
const toCurl = (target: string, body: string): string =>
  [
    `curl -sS -i -X POST "$BASE_URL"${quote(target)}`,
    `-H "Authorization: Bearer $TOKEN"`,
    ...(body === '' ? [] : [`-H 'Content-Type: application/json'`, `--data-raw ${quote(body)}`]),
  ].join(' ');

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

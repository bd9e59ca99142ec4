// Refused requests, each with its log line, found by its request id.
import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { expect } from 'vitest';
import { createAdminCaller } from '../admin-caller.ts';
import { BODY, joinPath } from '../public-client.ts';
import { watchSuiteLog } from '../suite-logs/suite-logs.ts';
import type { TestServiceOptions } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

const SECRET = 'a secret of the tests that explain refusals';
const ISSUER = 'https://issuer.example';
export const JOIN_ROUTE =
  '/session/v1/platform/:platform/platform-session/:platform_session_id_base64/player/:player_uuid';

type Claims = Record<string, unknown>;

/** A token of an account with all permissions, unless `claims` differ. */
export const sign = (claims: Claims = {}, secret = SECRET): Promise<string> =>
  new SignJWT({
    iss: ISSUER,
    aud: 'muster',
    sub: 'backend',
    permissions: ['*'],
    exp: Math.floor(Date.now() / 1000) + 600,
    ...claims,
  })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export type Line = Record<string, unknown>;
type Sent = { status: number; line: Line; body: Line };
type Init = Omit<RequestInit, 'headers'> & { headers?: Record<string, string> };

type JoinRequest = {
  lobby?: string;
  platform?: string;
  player?: string;
  query?: string;
  claims?: Claims;
  /** Replaces the one with the claims; empty: none. */
  token?: string;
  /** Changes of the body. */
  change?: object;
};

export type RefusalBed = Awaited<ReturnType<typeof startRefusalBed>>;

/** A service that checks issuer and audience. */
export const startRefusalBed = async (
  limits: TestServiceOptions['limits'] = {},
  settings: Record<string, string> = {},
) => {
  const env = {
    AUTH_JWT_SECRET: SECRET,
    AUTH_ISSUER: ISSUER,
    AUTH_AUDIENCE: 'muster',
    ...settings,
  };
  const service = await startTestService({ env, limits });
  const { baseUrl } = service;
  const readLog = watchSuiteLog();

  const findLine = (requestId: string): Line | undefined => {
    const lines = readLog().split('\n');
    const named = lines.filter((line) => line.includes(`"request_id":"${requestId}"`));
    const text = named.find((line) => line.includes('"msg":"request"'));
    return text === undefined ? undefined : JSON.parse(text);
  };

  /** The line of a request, without its time and its duration. */
  const readLine = async (requestId: string): Promise<Line> => {
    await expect.poll(() => findLine(requestId)).toBeDefined();
    const { level, time, duration_ms, msg, request_id, ...line } = findLine(requestId) ?? {};
    expect([level, msg, request_id]).toEqual([30, 'request', requestId]);
    expect(time).toMatch(/Z$/);
    return line;
  };

  /** Sends a request with its own id, and returns the status and the line of that id. */
  const send = async (path: string, { headers = {}, ...init }: Init = {}): Promise<Sent> => {
    const requestId = `explained-${randomUUID()}`;
    const response = await fetch(baseUrl + path, {
      ...init,
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers, 'x-request-id': requestId },
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === '' ? {} : JSON.parse(text),
      line: await readLine(requestId),
    };
  };

  /** A self-join, unless the claims say otherwise. */
  const join = async (request: JoinRequest): Promise<Sent & { player: string }> => {
    const { lobby = 'bm93aGVyZQ', platform = 'Steam', player = randomUUID() } = request;
    const self = { sub: player, permissions: ['session:update-player:self'], ...request.claims };
    const token = request.token ?? (await sign(self));
    const sent = await send(`${joinPath(lobby, platform, player)}${request.query ?? ''}`, {
      method: 'POST',
      headers: token === '' ? {} : bearer(token),
      body: JSON.stringify({ ...BODY, ...request.change }),
    });
    return { ...sent, player };
  };

  /** A session with two teams of one. */
  const createSession = async (input: object = {}) => {
    const permissionsClaim = settings.AUTH_PERMISSIONS_CLAIM ?? 'permissions';
    const admin = createAdminCaller(baseUrl, bearer(await sign({ [permissionsClaim]: ['*'] })));
    const name = { type: 'ranked duel', session_id: randomUUID() };
    const lobby = `${name.session_id}-lobby`;
    const { status } = await admin.mutate('sessions.create', {
      ...name,
      teams: [{ max_size: 1 }, { max_size: 1 }],
      platform_session: [
        {
          platform: 'Steam',
          platform_session_type: 'lobby',
          platform_session_id_base64: lobby,
        },
      ],
      ...input,
    });
    expect(status).toBe(200);
    return { name, lobby };
  };

  return { service, readLog, readLine, send, join, createSession };
};

/** The common fields in the lines of all refused joins. */
export const joinLine = (player: string, status: number): Line => ({
  method: 'POST',
  route: JOIN_ROUTE,
  status,
  platform: 'Steam',
  player_uuid: player,
});

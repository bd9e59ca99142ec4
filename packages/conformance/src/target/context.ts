// What a case is given: ways to speak to the service, as anyone.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { JWTPayload } from 'jose';
import { SignJWT } from 'jose';
import { z } from 'zod';
import type { Made } from './clean-up.ts';
import { createMade, noteMade } from './clean-up.ts';
import type { Answer, HttpRequest } from './send-request.ts';
import { SkippedCase, sendBytes, sendRequest } from './send-request.ts';

// A case is data: the section it belongs to, the sentence it proves, and how it proves it.

export type Case = {
  readonly section: string;
  /** The sentence of the interface or of its decisions that the case proves. */
  readonly title: string;
  /** Throws when the service breaks the sentence; makes its own fixtures, so that cases are independent. */
  readonly run: (context: Context) => Promise<void>;
};

export type Prove = (title: string, run: Case['run']) => Case;

/** Binds a section, so that a file of cases reads as a list of sentences; each begins with the subject, where one is given. */
export const inSection =
  (section: string, subject?: string): Prove =>
  (title, run) => ({ section, title: subject ? `${subject}: ${title}` : title, run });

const AdminResult = z.object({ result: z.object({ data: z.unknown() }) });
const JSON_TYPE = { 'content-type': 'application/json' };

export const bearer = (token: string): Record<string, string> => ({
  authorization: `Bearer ${token}`,
});

export class Context {
  readonly target: Target;
  readonly signal: AbortSignal;
  /** The newest answer, for the report of a failure. */
  lastAnswer: Answer | undefined;

  constructor(target: Target, signal: AbortSignal) {
    this.target = target;
    this.signal = signal;
  }

  get token(): string {
    return this.target.token;
  }

  async send(request: HttpRequest): Promise<Answer> {
    return this.#keep(await sendRequest(this.target.settings.baseUrl, request, this.signal));
  }

  async sendBytes(bytes: string): Promise<Answer> {
    return this.#keep(await sendBytes(this.target.settings.baseUrl, bytes, this.signal));
  }

  /** GET with the token of all permissions, unless `headers` say otherwise. */
  get(path: string, headers: Record<string, string> = bearer(this.token)): Promise<Answer> {
    return this.send({ method: 'GET', path, headers });
  }

  /** POST of a JSON body with the token of all permissions, unless `token` says otherwise. */
  post(path: string, body: unknown, token: string = this.token): Promise<Answer> {
    return this.postText(path, JSON.stringify(body), bearer(token));
  }

  /** The same of text as it is, which need not be JSON. */
  postText(
    path: string,
    body: string,
    headers: Record<string, string> = bearer(this.token),
  ): Promise<Answer> {
    return this.send({ method: 'POST', path, headers: { ...JSON_TYPE, ...headers }, body });
  }

  /** Signs a token; skips the case when this run has no signing secret. */
  mint(claims: Claims, secret?: string): Promise<string> {
    return mintToken(this.target.settings, claims, secret);
  }

  /** Calls a mutation of the admin API and gives its data; fails the case on an error answer. */
  async mutate(procedure: string, input: unknown): Promise<unknown> {
    return this.#dataOf(procedure, await this.tryMutation(procedure, input));
  }

  async query(procedure: string, input: unknown): Promise<unknown> {
    const encoded = encodeURIComponent(JSON.stringify(input));
    return this.#dataOf(procedure, await this.get(`/admin/trpc/${procedure}?input=${encoded}`));
  }

  /** Calls a mutation of the admin API that may be refused. */
  tryMutation(procedure: string, input: unknown): Promise<Answer> {
    return this.post(`/admin/trpc/${procedure}`, input);
  }

  /** Skips the case unless the service was configured so. */
  requireHistoryAccess(access: 'authenticated' | 'public'): void {
    if (this.target.settings.historyAccess === access) return;
    throw new SkippedCase(`needs a service with HISTORY_ACCESS=${access}`);
  }

  /** An origin that the service was configured to let in; skips the case without one. */
  requireCorsOrigin(): string {
    const { corsOrigin } = this.target.settings;
    if (corsOrigin !== undefined) return corsOrigin;
    throw new SkippedCase('needs one of the CORS_ORIGINS of the service (--cors-origin)');
  }

  #dataOf(procedure: string, answer: Answer): unknown {
    assert.equal(answer.status, 200, `the admin API refused ${procedure}: ${answer.text}`);
    return AdminResult.parse(answer.body).result.data;
  }

  #keep(answer: Answer): Answer {
    this.lastAnswer = answer;
    noteMade(this.target.made, answer);
    return answer;
  }
}

/** What a run knows about the service under test. */
export type TargetSettings = {
  baseUrl: URL;
  /** A token with all permissions; without it a signing secret is needed. */
  token?: string;
  /** The secret that HS256 tokens are signed with; every kind of caller can be made with it. */
  secret?: string;
  issuer?: string;
  audience?: string;
  /** How the service was configured: whether the histories need a credential. */
  historyAccess: 'authenticated' | 'public';
  /** One of the origins whose pages the service was configured to let in. */
  corsOrigin?: string;
};

// The service under test, as the cases of one run share it.

export type Target = {
  readonly settings: TargetSettings;
  /** A token with all permissions. */
  readonly token: string;
  /** What the run has made and not taken away yet. */
  readonly made: Made;
  /** Makes a fixture once per run, for those that cases only read. */
  readonly once: <Value>(key: string, make: () => Promise<Value>) => Promise<Value>;
};

/** The longest run that one token must survive; the service reads `exp` only. */
const RUN_SECONDS = 6 * 3600;

export const createTarget = async (settings: TargetSettings): Promise<Target> => {
  const made = new Map<string, Promise<unknown>>();
  const once = <Value>(key: string, make: () => Promise<Value>): Promise<Value> => {
    const value = (made.get(key) as Promise<Value> | undefined) ?? make();
    made.set(key, value);
    return value;
  };
  const token = settings.token ?? (await mintAllPermissions(settings));
  return { settings, token, made: createMade(), once };
};

const mintAllPermissions = (settings: TargetSettings): Promise<string> =>
  mintToken(settings, {
    sub: randomUUID(),
    permissions: ['*'],
    exp: Math.floor(Date.now() / 1000) + RUN_SECONDS,
  });

// Signs tokens of every kind that the cases need: good ones, stale ones, and ones that lie.

type Claims = JWTPayload & {
  permissions?: readonly string[];
  scope?: string;
  /** Not only a platform: some cases sign what is none. */
  platform?: unknown;
};

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/**
 * A token as the service expects it: HS256, ten minutes of life, issuer and audience as configured.
 * A claim given as undefined is left out. Throws SkippedCase without a signing secret.
 */
const mintToken = async (
  settings: TargetSettings,
  claims: Claims,
  secret: string | undefined = settings.secret,
): Promise<string> => {
  if (settings.secret === undefined || secret === undefined) {
    throw new SkippedCase('needs the signing secret (--secret)');
  }
  const { issuer: iss, audience: aud } = settings;
  const payload = {
    ...(iss && { iss }),
    ...(aud && { aud }),
    exp: nowInSeconds() + 600,
    ...claims,
  };
  return new SignJWT(withoutUndefined(payload))
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .sign(new TextEncoder().encode(secret));
};

const withoutUndefined = (payload: JWTPayload): JWTPayload =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined));

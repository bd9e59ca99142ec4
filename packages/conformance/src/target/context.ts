// What a case is given: ways to speak to the service, as anyone.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { SkippedCase } from '../case.ts';
import type { Answer, HttpRequest } from './exchange.ts';
import type { Claims } from './mint-token.ts';
import { mintToken } from './mint-token.ts';
import { sendBytes } from './send-bytes.ts';
import { sendRequest } from './send-request.ts';
import type { Target } from './target.ts';

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
    const headers = { ...bearer(token), ...JSON_TYPE };
    return this.send({ method: 'POST', path, headers, body: JSON.stringify(body) });
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

  #dataOf(procedure: string, answer: Answer): unknown {
    assert.equal(answer.status, 200, `the admin API refused ${procedure}: ${answer.text}`);
    return AdminResult.parse(answer.body).result.data;
  }

  #keep(answer: Answer): Answer {
    this.lastAnswer = answer;
    return answer;
  }
}

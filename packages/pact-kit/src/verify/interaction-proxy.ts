// Stands between the native verifier and the service: applies the states of each interaction before its request,
// gives the request its credential, and puts the pact's own ids into the answer.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer, json } from 'node:stream/consumers';
import type { Aliases } from '../apply-states/aliases.ts';
import type { AppliedStates } from '../apply-states/apply-states.ts';
import { applyStates } from '../apply-states/apply-states.ts';
import type { ServiceClient } from '../apply-states/service-client.ts';
import { StateError } from '../apply-states/service-client.ts';
import { isRecord } from '../broker/hal-client.ts';
import type { Finding, PactFile, PactInteraction } from '../findings.ts';
import { Problem, sentenceOf } from '../findings.ts';
import { startLocalServer } from '../local-server.ts';
import type { Provider } from '../provider/provider.ts';
import type { OperationName } from '../provider-states/state-definition.ts';

export const STATE_PATH = '/.pact-states';

/** What the verifier's report does not know about an interaction. */
export type Observation = {
  requests: number;
  /** Why the states could not be applied, or the service did not answer. */
  problem?: { rule: 'state-failed' | 'no-answer'; message: string };
  /** The status of the last response. */
  status?: number;
  /** The error code of the last answer, where its body has one. */
  errorCode?: string;
  /** What the path of the request asks for; absent when no route has its shape. */
  operation?: OperationName;
  /** The body of the last response, where it is JSON. */
  body?: unknown;
};

export type InteractionProxy = {
  port: number;
  observations: ReadonlyMap<number, Observation>;
  /** The first failure outside of all interactions: the service has exited. */
  failure: () => Problem | undefined;
  close: () => Promise<void>;
};

type ProxyOptions = {
  jobs: readonly InteractionJob[];
  provider: Provider;
  service: ServiceClient;
  onStart: (job: InteractionJob) => void;
};

export const startInteractionProxy = async (options: ProxyOptions): Promise<InteractionProxy> => {
  const { handle, observations, failure } = createSession(options);
  const { port, close } = await startLocalServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      answer(response, 400, { error: sentenceOf(error) });
    });
  });
  return { port, observations, failure, close };
};

const createSession = ({ jobs, provider, service, onStart }: ProxyOptions) => {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const applied = new Map<number, AppliedStates>();
  const observations = new Map<number, Observation>();
  let failure: Problem | undefined;

  const observe = (id: number): Observation => {
    const found = observations.get(id) ?? { requests: 0 };
    observations.set(id, found);
    return found;
  };

  /** A refused state is answered with 4xx: after a 5xx the verifier would try again for two minutes. */
  const setUp = async (job: InteractionJob, response: ServerResponse): Promise<void> => {
    onStart(job);
    const { states, content } = job.interaction;
    const path = pathOf(content.request);
    try {
      const ready = await applyStates({ states, path, content }, service, provider);
      applied.set(job.id, ready);
      // The verifier fills the generators of the request from this answer.
      answer(response, 200, ready.values);
    } catch (error) {
      if (error instanceof Problem) failure ??= error;
      const reason = error instanceof StateError ? error.message : sentenceOf(error);
      const message = `The provider states could not be applied: ${reason}.`.replace(/\.\.$/, '.');
      observe(job.id).problem = { rule: 'state-failed', message };
      answer(response, 422, { error: message });
    }
  };

  const changeState = async (request: IncomingMessage, response: ServerResponse) => {
    const { state, action } = (await json(request)) as { state: string; action: string };
    const job = byId.get(Number(state));
    if (!job) throw new Error(`No interaction has the state id ${state}.`);
    if (action !== 'teardown') return setUp(job, response);
    await applied.get(job.id)?.undo();
    applied.delete(job.id);
    answer(response, 200, {});
  };

  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = Number(request.headers[INTERACTION_HEADER]);
    const states = applied.get(id);
    if (!states) throw new Error('The states of this interaction were not applied.');
    const seen = observe(id);
    seen.requests += 1;
    const credential = states.authorization;
    // The pact's own credential, where it has one, is a stand-in: the caller's takes its place.
    const headers = omit(request.headers, [INTERACTION_HEADER, 'authorization']);
    if (states.refusal) {
      pass(states.refusal, states, seen, response);
      return;
    }
    try {
      const answered = await forwardRequest(provider.url, {
        method: request.method ?? 'GET',
        target: rewriteTarget(request.url ?? '/', states.aliases),
        headers: { ...headers, ...(credential && { authorization: credential }) },
        body: await buffer(request),
      });
      pass(answered, states, seen, response);
    } catch (error) {
      const message = `The service did not answer: ${sentenceOf(error)}.`.replace(/\.\.$/, '.');
      seen.problem = { rule: 'no-answer', message };
      response.destroy();
    }
  };

  return {
    observations: observations as ReadonlyMap<number, Observation>,
    failure: () => failure,
    handle: (request: IncomingMessage, response: ServerResponse): Promise<void> =>
      request.url === STATE_PATH ? changeState(request, response) : forward(request, response),
  };
};

const pathOf = (request: unknown): string => {
  const { path } = (request ?? {}) as { path?: unknown };
  return typeof path === 'string' ? (path.split('?')[0] ?? '') : '';
};

const pass = (
  { status, headers, body }: ServiceAnswer,
  { aliases, route }: AppliedStates,
  seen: Observation,
  response: ServerResponse,
): void => {
  const text = aliases.restore(body.toString('utf8'));
  const restored = Buffer.from(text);
  seen.status = status;
  seen.body = parseJson(text);
  if (route) seen.operation = route.operation;
  if (isRecord(seen.body) && typeof seen.body.error_code === 'string') {
    seen.errorCode = seen.body.error_code;
  }
  const kept = omit(headers, ['connection', 'keep-alive', 'transfer-encoding', 'content-length']);
  const length = restored.length > 0 ? { 'content-length': restored.length } : {};
  response.writeHead(status, { ...kept, ...length });
  response.end(restored);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const answer = (response: ServerResponse, status: number, body: object): void => {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

/** One interaction on its way through the verifier. `id` is unique in the run. */
export type InteractionJob = {
  id: number;
  pact: PactFile;
  interaction: PactInteraction;
};

/** The outcome of one interaction. */
export type JobResult = {
  job: InteractionJob;
  findings: Finding[];
  /** Of the response; undefined when there is none. */
  status: number | undefined;
  durationMs: number;
};

// Sends a request of the verifier on to the service as it is, but for ids and credential.

type ForwardedRequest = {
  method: string;
  /** Path and query, exactly as sent. */
  target: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

type ServiceAnswer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** A service that hangs is a finding, not a verification that never ends. */
const ANSWER_TIMEOUT_MS = 10_000;
const PER_CONNECTION = ['host', 'connection', 'transfer-encoding', 'accept-encoding', 'expect'];

export const forwardRequest = (
  baseUrl: string,
  { method, target, headers, body }: ForwardedRequest,
): Promise<ServiceAnswer> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname, port, pathname } = new URL(baseUrl);
    const send = protocol === 'https:' ? httpsRequest : httpRequest;
    const request = send({
      hostname: hostname.replace(/^\[|\]$/g, ''),
      ...(port && { port: Number(port) }),
      method,
      path: `${pathname.replace(/\/$/, '')}${target}`,
      headers: { ...omit(headers, PER_CONNECTION), 'content-length': body.length },
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const { statusCode: status = 502, headers } = response;
      buffer(response).then((body) => resolve({ status, headers, body }), reject);
    });
    request.end(body);
  });

export const omit = (headers: IncomingHttpHeaders, names: readonly string[]): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

// Replaces the ids of a request by those that the service knows them under.

const HISTORY = /^(\/v1\/history\/sandbox\/)([^/]+)(\/.*)?$/;
const JOIN =
  /^(\/session\/v1\/platform\/[^/]+\/platform-session\/)([^/]+)(\/player\/)([^/]+)(\/?)$/;

const SESSION = /^(\/session\/v1\/session\/)([^/]+)\/([^/]+)(?:(\/player\/)([^/]+))?(\/?)$/;
const PLAYER_SESSIONS = /^(\/session\/v1\/player\/)([^/]+)(\/session\/?)$/;

/** `target` is path and query as in the request line; parts without an alias are unchanged byte for byte. */
const rewriteTarget = (target: string, aliases: Aliases): string => {
  const [path = '', ...query] = target.split('?');
  const rewritten = rewritePath(path, aliases);
  return query.length === 0 ? rewritten : `${rewritten}?${rewriteQuery(query.join('?'), aliases)}`;
};

const rewritePath = (path: string, aliases: Aliases): string => {
  const history = HISTORY.exec(path);
  if (history) {
    const [, before, sandbox = '', after = ''] = history;
    return `${before}${replaceSegment(sandbox, aliases.uuid)}${after}`;
  }
  const ofPlayer = PLAYER_SESSIONS.exec(path);
  if (ofPlayer) {
    const [, before, player = '', after] = ofPlayer;
    return `${before}${replaceSegment(player, aliases.uuid)}${after}`;
  }
  const session = SESSION.exec(path);
  if (session) return rewriteSession(session, aliases);
  const join = JOIN.exec(path);
  if (!join) return path;
  const [, before, platformSession = '', between, player = '', after] = join;
  const id = replaceSegment(platformSession, aliases.platformSessionId);
  return `${before}${id}${between}${replaceSegment(player, aliases.uuid)}${after}`;
};

const rewriteSession = (
  [, before, type = '', sessionId = '', between = '', player = '', after = '']: RegExpExecArray,
  aliases: Aliases,
): string => {
  const names = [type, sessionId].map((segment) => replaceSegment(segment, aliases.name));
  return `${before}${names.join('/')}${between}${replaceSegment(player, aliases.uuid)}${after}`;
};

/** A segment with a malformed escape is left for the service to refuse. */
const replaceSegment = (segment: string, alias: (value: string) => string): string => {
  try {
    const value = decodeURIComponent(segment);
    const replaced = alias(value);
    return replaced === value ? segment : encodeURIComponent(replaced);
  } catch {
    return segment;
  }
};

const rewriteQuery = (query: string, aliases: Aliases): string =>
  query
    .split('&')
    .map((pair) => {
      const id = /^player_id=(\d{1,15})$/.exec(pair)?.[1];
      return id === undefined ? pair : `player_id=${aliases.playerId(Number(id))}`;
    })
    .join('&');

/** Names the interaction that a request is of. */
export const INTERACTION_HEADER = 'x-muster-pact-interaction';

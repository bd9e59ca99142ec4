// Stands between the native verifier and the service: applies the states of each interaction before its request,
// gives the request its credential, and puts the pact's own ids into the answer.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { buffer, json } from 'node:stream/consumers';
import type { Aliases } from '../apply-states/aliases.ts';
import type { AppliedStates } from '../apply-states/apply-states.ts';
import { applyStates } from '../apply-states/apply-states.ts';
import { createServiceClient } from '../apply-states/service-client.ts';
import type { Finding, PactFile, PactInteraction } from '../findings.ts';
import { Problem, sentenceOf } from '../findings.ts';
import { startLocalServer } from '../local-server.ts';
import type { Provider } from '../provider/provider.ts';
import { readRoute } from '../provider-states/resolve-state.ts';
import type { OperationName } from '../provider-states/state-definition.ts';

export const STATE_PATH = '/.pact-states';
/** Names the interaction that a request is of. */
export const INTERACTION_HEADER = 'x-muster-pact-interaction';

/** One interaction on its way through the verifier. */
export type InteractionJob = {
  /** Unique in the run. */
  id: number;
  pact: PactFile;
  interaction: PactInteraction;
  /** Present between the state change and the teardown. */
  states?: AppliedStates | undefined;
  seen: Observation;
};

/** What the verifier's report does not know about an interaction. */
type Observation = {
  /** Why the states could not be applied, or the service did not answer. */
  problem?: { rule: 'state-failed' | 'no-answer'; message: string };
  /** The status of the last response; absent when no request was answered. */
  status?: number;
  /** What the path of the request asks for; absent when no route has its shape. */
  operation?: OperationName;
  /** The body of the last response, where it is JSON. */
  body?: unknown;
};

/** The outcome of one interaction. */
export type JobResult = { job: InteractionJob; findings: Finding[]; durationMs: number };

type InteractionProxy = {
  port: number;
  /** The first failure outside of all interactions: the service has exited. */
  failure: () => Problem | undefined;
  close: () => Promise<void>;
};

type ProxyOptions = {
  jobs: readonly InteractionJob[];
  provider: Provider;
  onStart: (job: InteractionJob) => void;
};

export const startInteractionProxy = async ({
  jobs,
  provider,
  onStart,
}: ProxyOptions): Promise<InteractionProxy> => {
  const service = createServiceClient(provider);
  let failure: Problem | undefined;

  const findJob = (id: unknown): InteractionJob => {
    const job = jobs.find((one) => one.id === Number(id));
    if (job) return job;
    throw new Error(`No interaction has the id ${id}.`);
  };

  /** A refused state is answered with 4xx: after a 5xx the verifier would try again for two minutes. */
  const changeState = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { state, action } = (await json(request)) as { state: string; action: string };
    const job = findJob(state);
    if (action === 'teardown') {
      await job.states?.undo();
      job.states = undefined;
      return answer(response, 200, {});
    }
    onStart(job);
    try {
      job.states = await applyStates(job.interaction, service, provider);
      // The verifier fills the generators of the request from this answer.
      answer(response, 200, job.states.values);
    } catch (error) {
      if (error instanceof Problem) failure ??= error;
      const message = toSentence(`The provider states could not be applied: ${sentenceOf(error)}`);
      job.seen.problem = { rule: 'state-failed', message };
      answer(response, 422, { error: message });
    }
  };

  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { states, seen } = findJob(request.headers[INTERACTION_HEADER]);
    if (!states) throw new Error('The states of this interaction were not applied.');
    const { authorization, aliases, refusal } = states;
    // The pact's own credential, where it has one, is a stand-in: the caller's takes its place.
    const headers = omit(request.headers, [INTERACTION_HEADER, 'authorization']);
    try {
      const answered =
        refusal ??
        (await forwardRequest(provider.url, {
          method: request.method ?? 'GET',
          target: rewriteTarget(request.url ?? '/', aliases),
          headers: { ...headers, ...(authorization && { authorization }) },
          body: await buffer(request),
        }));
      pass(answered, states, seen, response);
    } catch (error) {
      const message = toSentence(`The service did not answer: ${sentenceOf(error)}`);
      seen.problem = { rule: 'no-answer', message };
      response.destroy();
    }
  };

  const { port, close } = await startLocalServer((request, response) => {
    const handle = request.url === STATE_PATH ? changeState : forward;
    handle(request, response).catch((error: unknown) => {
      answer(response, 400, { error: sentenceOf(error) });
    });
  });
  return { port, failure: () => failure, close };
};

const toSentence = (text: string): string => text.replace(/\.?$/, '.');

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

/** By path parameter. */
const ALIASES = {
  sandbox_id: 'uuid',
  player_uuid: 'uuid',
  platform_session_id_base64: 'platformSessionId',
  type: 'name',
  session_id: 'name',
} as const;

/** `target` is path and query as in the request line; parts without an alias are unchanged byte for byte. */
const rewriteTarget = (target: string, aliases: Aliases): string => {
  const [path = '', ...query] = target.split('?');
  const template = readRoute(path)?.template.split('/') ?? [];
  const rewritten = path
    .split('/')
    .map((segment, index) => {
      const name = /^\{(.*)\}$/.exec(template[index] ?? '')?.[1] ?? '';
      if (!Object.hasOwn(ALIASES, name)) return segment;
      return replaceSegment(segment, aliases[ALIASES[name as keyof typeof ALIASES]]);
    })
    .join('/');
  return query.length === 0 ? rewritten : `${rewritten}?${rewriteQuery(query.join('?'), aliases)}`;
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
  query.replace(
    /(?<=^|&)player_id=(\d{1,15})(?=&|$)/g,
    (_, id) => `player_id=${aliases.playerId(Number(id))}`,
  );

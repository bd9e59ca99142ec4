// Stands between the native verifier and the service: applies the states of each interaction before its request,
// gives the request its credential, and puts the pact's own ids into the answer.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppliedStates, ServiceClient } from '../apply-states/index.ts';
import { applyStates, StateError } from '../apply-states/index.ts';
import { Problem, sentenceOf } from '../problem.ts';
import type { Provider } from '../provider/index.ts';
import type { ServiceAnswer } from './forward-request.ts';
import { forwardRequest, omit } from './forward-request.ts';
import type { InteractionJob } from './interaction-job.ts';
import { INTERACTION_HEADER } from './prepare-pacts.ts';
import { rewriteTarget } from './rewrite-target.ts';

export const STATE_PATH = '/.pact-states';

/** What the verifier's report does not know about an interaction. */
export type Observation = {
  requests: number;
  /** Why the states could not be applied, or the service did not answer. */
  problem?: { rule: 'state-failed' | 'no-answer'; message: string };
  /** The error code of the last answer, where its body has one. */
  errorCode?: string;
};

export type InteractionProxy = {
  port: number;
  observations: ReadonlyMap<number, Observation>;
  /** The first failure that is nobody's interaction: the service is gone. */
  failure: () => Problem | undefined;
  close: () => Promise<void>;
};

export type ProxyOptions = {
  jobs: readonly InteractionJob[];
  provider: Provider;
  service: ServiceClient;
  onStart: (job: InteractionJob) => void;
};

export const startInteractionProxy = async (options: ProxyOptions): Promise<InteractionProxy> => {
  const session = createSession(options);
  const server = createServer((request, response) => {
    session.handle(request, response).catch((error: unknown) => {
      answer(response, 400, { error: sentenceOf(error) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const { observations, failure } = session;
  return { port, observations, failure, close: () => closeServer(server) };
};

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });

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
      applied.set(job.id, await applyStates({ states, path }, service, provider));
      answer(response, 200, {});
    } catch (error) {
      if (error instanceof Problem) failure ??= error;
      const reason = error instanceof StateError ? error.message : sentenceOf(error);
      const message = `The provider states could not be applied: ${reason}.`.replace(/\.\.$/, '.');
      observe(job.id).problem = { rule: 'state-failed', message };
      answer(response, 422, { error: message });
    }
  };

  const changeState = async (request: IncomingMessage, response: ServerResponse) => {
    const { state, action } = JSON.parse((await readAll(request)).toString('utf8')) as {
      state: string;
      action: string;
    };
    const job = byId.get(Number(state));
    if (!job) throw new Error(`Nobody asked for the state ${state}.`);
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
    try {
      const answered = await forwardRequest(provider.url, {
        method: request.method ?? 'GET',
        target: rewriteTarget(request.url ?? '/', states.aliases),
        headers: { ...headers, ...(credential && { authorization: credential }) },
        body: await readAll(request),
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
  { aliases }: AppliedStates,
  seen: Observation,
  response: ServerResponse,
): void => {
  const restored = Buffer.from(aliases.restore(body.toString('utf8')));
  const code = /"error_code"\s*:\s*"([^"]+)"/.exec(restored.toString('utf8'))?.[1];
  if (code) seen.errorCode = code;
  const kept = omit(headers, ['connection', 'keep-alive', 'transfer-encoding', 'content-length']);
  const length = restored.length > 0 ? { 'content-length': restored.length } : {};
  response.writeHead(status, { ...kept, ...length });
  response.end(restored);
};

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const answer = (response: ServerResponse, status: number, body: object): void => {
  if (response.headersSent) return void response.destroy();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};

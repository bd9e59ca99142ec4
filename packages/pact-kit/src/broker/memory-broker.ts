// A Pact broker in memory, for tests: publish, fetch by selectors with pending and work in progress, results, matrix.
// It speaks the part of the HAL API that the kit and Pact's own command line use, on 127.0.0.1.
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { startLocalServer } from '../local-server.ts';
import { matchTemplate } from '../provider-states/resolve-state.ts';
import type { ConsumerVersionSelector } from './broker.ts';
import type { BrokerState, ChosenPact, StoredPact, StoredResult } from './memory-broker-state.ts';
import { choosePacts, decide } from './memory-broker-state.ts';

export type PublishedPact = {
  pact: object;
  consumerVersion: string;
  branch?: string;
  tags?: readonly string[];
  /** Environments that this version of the consumer is deployed to. */
  environments?: readonly string[];
};

export type MemoryBroker = {
  url: string;
  publish: (published: PublishedPact) => void;
  /** Every result that was published, oldest first. */
  results: () => readonly StoredResult[];
  /** Branches and tags of the provider's versions. */
  providerVersions: () => readonly { version: string; branch?: string; tag?: string }[];
  close: () => Promise<void>;
};

export type MemoryBrokerOptions = {
  /** The consumers' main branch; `main` by default. */
  mainBranch?: string;
  /** When given, requests without it are answered 401. */
  token?: string;
};

export const startMemoryBroker = async ({
  mainBranch = 'main',
  token,
}: MemoryBrokerOptions = {}): Promise<MemoryBroker> => {
  const state: BrokerState = { mainBranch, pacts: [], results: [], providerVersions: [] };
  const { url, close } = await startLocalServer(async (request, response) => {
    const isAllowed = !token || request.headers.authorization === `Bearer ${token}`;
    const { status, body } = isAllowed ? await answerRequest(state, url, request) : UNAUTHORIZED;
    response.writeHead(status, { 'content-type': 'application/hal+json' });
    response.end(JSON.stringify(body));
  });
  return {
    url,
    publish: (published) => void store(state, published),
    results: () => state.results,
    providerVersions: () => state.providerVersions,
    close,
  };
};

type Named = { name: string };

const store = ({ pacts }: BrokerState, { pact, ...published }: PublishedPact): StoredPact => {
  const { consumer, provider } = pact as { consumer: Named; provider: Named };
  const stored = {
    id: pacts.length + 1,
    consumer: consumer.name,
    provider: provider.name,
    tags: [],
    environments: [],
    ...published,
    content: pact,
  };
  pacts.push(stored);
  return stored;
};

type Json = Record<string, unknown>;
type Answer = { status: number; body: object };

const UNAUTHORIZED: Answer = { status: 401, body: { error: 'Unauthorized' } };
const NOT_FOUND: Answer = { status: 404, body: { error: 'Not found' } };

type Call = { state: BrokerState; base: string; body: Json; query: URLSearchParams };
type Handler = (call: Call, parameters: Record<string, string>) => Answer;

const answerRequest = async (
  state: BrokerState,
  base: string,
  request: IncomingMessage,
): Promise<Answer> => {
  const { pathname, searchParams: query } = new URL(request.url ?? '/', base);
  const body = JSON.parse((await text(request)) || '{}') as Json;
  for (const [method, template, handle] of ROUTES) {
    const parameters = method === request.method && matchTemplate(template, pathname);
    if (parameters) return handle({ state, base, body, query }, parameters);
  }
  return NOT_FOUND;
};

/** The links of the index; each is a route too. */
const INDEX = {
  self: '/',
  'pb:provider-pacts-for-verification': '/pacts/provider/{provider}/for-verification',
  'pb:publish-contracts': '/contracts/publish',
  'pb:pacticipant-branch-version':
    '/pacticipants/{pacticipant}/branches/{branch}/versions/{version}',
  'pb:pacticipant-version-tag': '/pacticipants/{pacticipant}/versions/{version}/tags/{tag}',
};

const link = (href: string) => ({ href, ...(href.includes('{') && { templated: true }) });

const withPact = ({ state }: Call, id: string | undefined, use: (pact: StoredPact) => Answer) => {
  const pact = state.pacts.find((one) => one.id === Number(id));
  return pact ? use(pact) : NOT_FOUND;
};

const addVersion: Handler = ({ state }, { version = '', branch, tag }) => {
  state.providerVersions.push({ version, ...(branch && { branch }), ...(tag && { tag }) });
  return { status: 201, body: {} };
};

const ROUTES: readonly [method: string, template: string, handle: Handler][] = [
  [
    'GET',
    INDEX.self,
    ({ base }) => {
      const links = Object.entries(INDEX).map(([relation, path]) => [relation, link(base + path)]);
      return { status: 200, body: { _links: Object.fromEntries(links) } };
    },
  ],
  [
    'POST',
    INDEX['pb:provider-pacts-for-verification'],
    ({ state, base, body }, { provider = '' }) => {
      const selectors = (body.consumerVersionSelectors ?? []) as ConsumerVersionSelector[];
      const chosen = choosePacts(state, provider, selectors, body);
      return {
        status: 200,
        body: { _embedded: { pacts: chosen.map((one) => describeChoice(base, one)) } },
      };
    },
  ],
  ['POST', INDEX['pb:publish-contracts'], (call) => publishContracts(call)],
  [
    'GET',
    '/pacts/{id}',
    (call, { id }) =>
      withPact(call, id, ({ content }) => {
        const self = `${call.base}/pacts/${id}`;
        const results = { 'pb:publish-verification-results': link(`${self}/verification-results`) };
        return { status: 200, body: { ...content, _links: { self: link(self), ...results } } };
      }),
  ],
  [
    'POST',
    '/pacts/{id}/verification-results',
    (call, { id }) =>
      withPact(call, id, (pact) => {
        const { body } = call;
        const providerVersion = String(body.providerApplicationVersion);
        call.state.results.push({ pact, providerVersion, success: body.success === true, body });
        return { status: 201, body: {} };
      }),
  ],
  ['PUT', INDEX['pb:pacticipant-branch-version'], addVersion],
  ['PUT', INDEX['pb:pacticipant-version-tag'], addVersion],
  ['GET', '/matrix', ({ state, query }) => ({ status: 200, body: decide(state, query) })],
];

const describeChoice = (base: string, { pact, pending, wip }: ChosenPact): object => ({
  shortDescription: wip ? `wip: ${pact.branch}` : (pact.branch ?? 'latest'),
  verificationProperties: {
    pending,
    ...(wip && { wip }),
    notices: [
      {
        when: 'before_verification',
        text: `The pact of ${pact.consumer} ${pact.consumerVersion} is being verified${pending ? ' and may fail' : ''}.`,
      },
    ],
  },
  _links: { self: link(`${base}/pacts/${pact.id}`) },
});

/** What `pact broker publish` sends: the pacts of one version of a consumer, each as base64. */
const publishContracts = ({ state, base, body }: Call): Answer => {
  const { pacticipantName, pacticipantVersionNumber: version, branch, tags } = body;
  const contracts: { content?: unknown }[] = Array.isArray(body.contracts) ? body.contracts : [];
  const pacts = contracts.flatMap(({ content }) => decodePact(content) ?? []);
  if (typeof version !== 'string' || pacts.length === 0 || pacts.length < contracts.length) {
    const error = 'A version and at least one pact are needed, each pact as base64 of its JSON.';
    return { status: 400, body: { errors: { contracts: [error] } } };
  }
  const stored = pacts.map((pact) =>
    store(state, {
      pact,
      consumerVersion: version,
      ...(typeof branch === 'string' && { branch }),
      tags: Array.isArray(tags) ? tags.map(String) : [],
    }),
  );
  const consumer = String(pacticipantName ?? stored[0]?.consumer);
  return { status: 200, body: describePublication(base, consumer, version, stored) };
};

const decodePact = (content: unknown): object | null => {
  try {
    const pact: unknown = JSON.parse(Buffer.from(String(content), 'base64').toString('utf8'));
    const { consumer, provider } = pact as Record<string, { name?: unknown } | undefined>;
    const isNamed = typeof consumer?.name === 'string' && typeof provider?.name === 'string';
    return isNamed ? (pact as object) : null;
  } catch {
    return null;
  }
};

const describePublication = (
  base: string,
  consumer: string,
  version: string,
  pacts: readonly StoredPact[],
): object => {
  // The command line reads every link with a title and a name.
  const named = (path: string, title: string, name: string) => ({ href: base + path, title, name });
  const home = `/pacticipants/${encodeURIComponent(consumer)}`;
  const pacticipant = named(home, 'Pacticipant', consumer);
  const versionPath = `${home}/versions/${encodeURIComponent(version)}`;
  const own = named(versionPath, 'Pacticipant version', version);
  return {
    notices: [],
    logs: [],
    _embedded: {
      pacticipant: { name: consumer, _links: { self: pacticipant } },
      version: { number: version, _links: { self: own } },
    },
    _links: {
      'pb:pacticipant': pacticipant,
      'pb:pacticipant-version': own,
      'pb:pacticipant-version-tags': [],
      'pb:contracts': pacts.map(({ id, provider }) =>
        named(`/pacts/${id}`, 'Pact', `Pact between ${consumer} (${version}) and ${provider}`),
      ),
    },
  };
};

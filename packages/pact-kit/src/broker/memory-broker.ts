// A Pact broker in memory, for tests: publish, fetch by selectors with pending and work in progress, results, matrix.
// It speaks the part of the HAL API that the kit and Pact's own command line use, on 127.0.0.1.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { startLocalServer } from '../local-server.ts';
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

export const startMemoryBroker = async (
  options: MemoryBrokerOptions = {},
): Promise<MemoryBroker> => {
  const state: BrokerState = {
    mainBranch: options.mainBranch ?? 'main',
    pacts: [],
    results: [],
    providerVersions: [],
  };
  const { url, close } = await startLocalServer(async (request, response) => {
    const isAllowed = !options.token || request.headers.authorization === `Bearer ${options.token}`;
    if (!isAllowed) return answer(response, 401, { error: 'Unauthorized' });
    return answerRequest(state, url, request, response);
  });
  return {
    url,
    publish: (published) => state.pacts.push(toStored(published, state.pacts.length)),
    results: () => state.results,
    providerVersions: () => state.providerVersions,
    close,
  };
};

const toStored = (published: PublishedPact, index: number): StoredPact => {
  const { consumer, provider } = published.pact as { consumer: Name; provider: Name };
  return {
    id: index + 1,
    consumer: consumer.name,
    provider: provider.name,
    consumerVersion: published.consumerVersion,
    ...(published.branch && { branch: published.branch }),
    tags: published.tags ?? [],
    environments: published.environments ?? [],
    content: published.pact,
  };
};

type Name = { name: string };
type Handler = (groups: string[], body: Record<string, unknown>, url: URL) => Answer;
type Answer = { status: number; body?: object };

const answerRequest = async (
  state: BrokerState,
  base: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const url = new URL(request.url ?? '/', base);
  const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>;
  for (const [method, pattern, handle] of createRoutes(state, base)) {
    const match = method === request.method ? pattern.exec(url.pathname) : null;
    if (!match) continue;
    const result = handle(match.slice(1).map(decodeURIComponent), body, url);
    return answer(response, result.status, result.body);
  }
  return answer(response, 404, { error: 'Not found' });
};

const createRoutes = (state: BrokerState, base: string): [string, RegExp, Handler][] => [
  ['GET', /^\/$/, () => ({ status: 200, body: describeIndex(base) })],
  [
    'POST',
    /^\/pacts\/provider\/([^/]+)\/for-verification$/,
    ([provider = ''], body) => {
      const selectors = (body.consumerVersionSelectors ?? []) as ConsumerVersionSelector[];
      const chosen = choosePacts(state, provider, selectors, body);
      return { status: 200, body: describePactList(base, chosen) };
    },
  ],
  ['POST', /^\/contracts\/publish$/, (_, body) => publishContracts(state, base, body)],
  [
    'GET',
    /^\/pacts\/(\d+)$/,
    ([id]) => {
      const pact = state.pacts.find((one) => one.id === Number(id));
      return pact ? { status: 200, body: describePact(base, pact) } : { status: 404 };
    },
  ],
  [
    'POST',
    /^\/pacts\/(\d+)\/verification-results$/,
    ([id], body) => {
      const pact = state.pacts.find((one) => one.id === Number(id));
      if (!pact) return { status: 404 };
      const providerVersion = String(body.providerApplicationVersion);
      state.results.push({ pact, providerVersion, success: body.success === true, body });
      return { status: 201, body: {} };
    },
  ],
  [
    'PUT',
    /^\/pacticipants\/[^/]+\/branches\/([^/]+)\/versions\/([^/]+)$/,
    ([branch = '', version = '']) => {
      state.providerVersions.push({ version, branch });
      return { status: 201, body: {} };
    },
  ],
  [
    'PUT',
    /^\/pacticipants\/[^/]+\/versions\/([^/]+)\/tags\/([^/]+)$/,
    ([version = '', tag = '']) => {
      state.providerVersions.push({ version, tag });
      return { status: 201, body: {} };
    },
  ],
  [
    'GET',
    /^\/matrix$/,
    (_, __, { searchParams }) => ({ status: 200, body: decide(state, searchParams) }),
  ],
];

/** What `pact broker publish` sends: the pacts of one version of a consumer, each as base64. */
const publishContracts = (
  state: BrokerState,
  base: string,
  body: Record<string, unknown>,
): Answer => {
  const { pacticipantName, pacticipantVersionNumber: version, branch, tags } = body;
  const contracts: { content?: unknown }[] = Array.isArray(body.contracts) ? body.contracts : [];
  const pacts = contracts.flatMap(({ content }) => decodePact(content) ?? []);
  if (typeof version !== 'string' || pacts.length === 0 || pacts.length < contracts.length) {
    const error = 'A version and at least one pact are needed, each pact as base64 of its JSON.';
    return { status: 400, body: { errors: { contracts: [error] } } };
  }
  const published = {
    consumerVersion: version,
    ...(typeof branch === 'string' && { branch }),
    tags: Array.isArray(tags) ? tags.map(String) : [],
  };
  const stored = pacts.map((pact, index) =>
    toStored({ pact, ...published }, state.pacts.length + index),
  );
  state.pacts.push(...stored);
  const consumer = String(pacticipantName ?? stored[0]?.consumer);
  return { status: 200, body: describePublication(base, consumer, version, stored) };
};

const decodePact = (content: unknown): object | null => {
  if (typeof content !== 'string') return null;
  try {
    const pact: unknown = JSON.parse(Buffer.from(content, 'base64').toString('utf8'));
    const { consumer, provider } = pact as Record<string, { name?: unknown } | undefined>;
    const isNamed = typeof consumer?.name === 'string' && typeof provider?.name === 'string';
    return isNamed ? (pact as object) : null;
  } catch {
    return null;
  }
};

const answer = (response: ServerResponse, status: number, body: object = {}): void => {
  response.writeHead(status, { 'content-type': 'application/hal+json' });
  response.end(JSON.stringify(body));
};

// The HAL resources of the broker in memory.

const link = (href: string, templated = false) => ({ href, ...(templated && { templated }) });

const describeIndex = (base: string): object => ({
  _links: {
    self: link(`${base}/`),
    'pb:provider-pacts-for-verification': link(
      `${base}/pacts/provider/{provider}/for-verification`,
      true,
    ),
    'pb:publish-contracts': link(`${base}/contracts/publish`),
    'pb:pacticipant-branch-version': link(
      `${base}/pacticipants/{pacticipant}/branches/{branch}/versions/{version}`,
      true,
    ),
    'pb:pacticipant-version-tag': link(
      `${base}/pacticipants/{pacticipant}/versions/{version}/tags/{tag}`,
      true,
    ),
  },
});

const describePublication = (
  base: string,
  consumer: string,
  version: string,
  pacts: readonly StoredPact[],
): object => {
  // The command line reads every link with a title and a name.
  const named = (path: string, title: string, name: string) => ({
    ...link(`${base}${path}`),
    title,
    name,
  });
  const home = `/pacticipants/${encodeURIComponent(consumer)}`;
  const pacticipant = named(home, 'Pacticipant', consumer);
  const own = named(
    `${home}/versions/${encodeURIComponent(version)}`,
    'Pacticipant version',
    version,
  );
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

const describePactList = (base: string, chosen: readonly ChosenPact[]): object => ({
  _embedded: {
    pacts: chosen.map(({ pact, pending, wip }) => ({
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
    })),
  },
});

const describePact = (base: string, pact: StoredPact): object => ({
  ...pact.content,
  _links: {
    self: link(`${base}/pacts/${pact.id}`),
    'pb:publish-verification-results': link(`${base}/pacts/${pact.id}/verification-results`),
  },
});

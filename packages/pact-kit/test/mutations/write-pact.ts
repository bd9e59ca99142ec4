// Pacts of the test set, written once and rendered in version 3 or 4 of the specification.

export type Json = Record<string, unknown>;
export type Matchers = readonly Json[];

export type Rules = {
  path?: Matchers;
  query?: Record<string, Matchers>;
  header?: Record<string, Matchers>;
  body?: Record<string, Matchers>;
};

export type Interaction = {
  description: string;
  states: { name: string; params?: Json }[];
  request: {
    method: string;
    path: string;
    query?: Record<string, string[]>;
    headers?: Record<string, string>;
    body?: unknown;
    rules?: Rules;
  };
  response: { status: number; headers?: Record<string, string>; body?: unknown; rules?: Rules };
};

export type SpecificationVersion = '3.0.0' | '4.0';

export const writePact = (version: SpecificationVersion, interactions: Interaction[]): Json => ({
  consumer: { name: 'test-game' },
  provider: { name: 'muster' },
  interactions: interactions.map((interaction) =>
    version === '4.0' ? toVersion4(interaction) : toVersion3(interaction),
  ),
  metadata: { pactSpecification: { version } },
});

const toVersion3 = ({ description, states, request, response }: Interaction): Json => {
  const part = ({ rules, ...fields }: Interaction['request'] | Interaction['response']): Json => ({
    ...fields,
    ...(rules && { matchingRules: toMatchingRules(rules) }),
  });
  return {
    description,
    providerStates: states.map(toState),
    request: part(request),
    response: part(response),
  };
};

const toVersion4 = ({ description, states, request, response }: Interaction): Json => {
  type Part = Interaction['request'] | Interaction['response'];
  const part = ({ rules, headers, body, ...fields }: Part): Json => ({
    ...fields,
    ...(headers && { headers: toLists(headers) }),
    ...(body !== undefined && {
      body: { content: body, contentType: 'application/json', encoded: false },
    }),
    ...(rules && { matchingRules: toMatchingRules(rules) }),
  });
  return {
    type: 'Synchronous/HTTP',
    key: description.replaceAll(' ', '-'),
    pending: false,
    description,
    providerStates: states.map(toState),
    request: part(request),
    response: part(response),
  };
};

const toState = ({ name, params }: Interaction['states'][number]): Json =>
  params ? { name, params } : { name };

const toLists = (headers: Record<string, string>): Json =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

const toMatchingRules = ({ path, ...categories }: Rules): Json => ({
  ...(path && { path: combine(path) }),
  ...Object.fromEntries(
    Object.entries(categories).map(([category, rules]) => [
      category,
      Object.fromEntries(Object.entries(rules).map(([key, matchers]) => [key, combine(matchers)])),
    ]),
  ),
});

const combine = (matchers: Matchers): Json => ({ combine: 'AND', matchers });

export const like: Matchers = [{ match: 'type' }];
export const integer: Matchers = [{ match: 'integer' }];
export const boolean: Matchers = [{ match: 'boolean' }];
export const atLeast = (min: number): Matchers => [{ match: 'type', min }];
export const regex = (expression: string): Matchers => [{ match: 'regex', regex: expression }];
export const timestamp: Matchers = [
  {
    match: 'timestamp',
    format: "yyyy-MM-dd'T'HH:mm:ss.SSSX",
    timestamp: "yyyy-MM-dd'T'HH:mm:ss.SSSX",
  },
];
export const include = (value: string): Matchers => [{ match: 'include', value }];

import { describe, expect, inject, it, onTestFinished } from 'vitest';
import type { Answer, Break } from './broken-provider.ts';
import { startBrokenProvider } from './broken-provider.ts';
import { listCorrectPacts } from './mutations/index.ts';
import { replay } from './verify-for-test.ts';

type Expectation = { response: { status: number } };

/** A break shows in the answers of one status; the other pacts need not be replayed. */
const listPacts = (status: number): object[] =>
  listCorrectPacts()
    .map(({ pact }) => pact)
    .filter(({ interactions }) =>
      (interactions as Expectation[]).some(({ response }) => response.status === status),
    );
const provider = inject('provider');

type Json = Record<string, unknown>;

/** Changes the JSON of answers with this status. */
const change =
  (status: number, edit: (body: Json) => unknown): Break =>
  (answer) => {
    if (answer.status !== status) return answer;
    const body = JSON.parse(answer.body) as Json;
    const edited = edit(body);
    return { ...answer, body: JSON.stringify(edited === undefined ? body : edited) };
  };

const without = (answer: Answer, header: string): Answer => {
  const { [header]: _gone, ...headers } = answer.headers;
  return { ...answer, headers };
};

const forEachPlayer = (body: Json, edit: (player: Json) => void): void => {
  for (const team of (body.teams ?? []) as { players: Json[] }[]) team.players.forEach(edit);
};

const BREAKS: [name: string, rule: string, spoil: Break, status?: number][] = [
  [
    'a wrong status',
    'wrong-status',
    (answer) => (answer.status === 200 ? { ...answer, status: 201 } : answer),
  ],
  ['a server error', 'wrong-status', (answer) => ({ ...answer, status: 500 }), 409],
  ['a missing field', 'wrong-body', change(200, (body) => void delete body.session_id)],
  [
    'a missing field in a list',
    'wrong-body',
    change(200, (body) => forEachPlayer(body, (player) => delete player.player_uuid)),
  ],
  [
    'text where a boolean belongs',
    'wrong-body',
    change(200, (body) => ({ ...body, joinable: String(body.joinable) })),
  ],
  [
    'text where an integer belongs',
    'wrong-body',
    change(
      200,
      ({ teams }) =>
        void ((teams as Json[] | undefined) ?? []).forEach((team) => {
          team.max_size = '4';
        }),
    ),
  ],
  [
    'a value that the enumeration does not have',
    'wrong-body',
    change(200, (body) =>
      forEachPlayer(body, (player) => {
        player.status = 'boss';
      }),
    ),
  ],
  ['null where a value belongs', 'wrong-body', change(200, (body) => ({ ...body, created: null }))],
  [
    'a date in another format',
    'wrong-body',
    change(200, (body) => ({ ...body, created: 'yesterday' })),
  ],
  ['a missing ETag', 'wrong-header', (answer) => without(answer, 'etag')],
  ['a missing Retry-After', 'wrong-header', (answer) => without(answer, 'retry-after'), 409],
  [
    'HTML instead of JSON',
    'wrong-content-type',
    (answer) => ({
      ...answer,
      headers: { ...answer.headers, 'content-type': 'text/html' },
      body: '<html><body>Oops</body></html>',
    }),
    409,
  ],
  ['an empty body', 'wrong-body', (answer) => ({ ...answer, body: '' }), 409],
  [
    'a truncated body',
    'wrong-body',
    (answer) => ({ ...answer, body: answer.body.slice(0, -1) }),
    409,
  ],
  [
    'another error code',
    'wrong-body',
    change(409, (body) => ({ ...body, error_code: 'oops' })),
    409,
  ],
  [
    'a refusal that tells clients to sign in anew',
    'wrong-body',
    change(403, (body) => ({ ...body, auth_success: !body.auth_success })),
    403,
  ],
  ['an empty list of teams', 'wrong-body', change(200, (body) => ({ ...body, teams: [] }))],
  [
    'an empty history',
    'wrong-body',
    change(200, (body) => (body.transactions ? { ...body, transactions: [] } : body)),
  ],
  [
    'problems without their place',
    'wrong-body',
    change(
      422,
      ({ detail }) =>
        void (detail as Json[]).forEach((one) => {
          delete one.loc;
        }),
    ),
    422,
  ],
  ['no answer at all', 'no-answer', () => null, 409],
];

describe('the replay notices a service', () => {
  it.each(BREAKS)('with %s', async (_name, rule, spoil, status = 200) => {
    const broken = await startBrokenProvider(provider, spoil);
    onTestFinished(broken.close);
    const results = await replay(listPacts(status), broken);
    expect(results.flatMap(({ findings }) => findings.map((one) => one.rule))).toContain(rule);
  });

  it('that is whole as whole, through the same proxy', async () => {
    const whole = await startBrokenProvider(provider, (answer) => answer);
    onTestFinished(whole.close);
    const results = await replay(listPacts(200), whole);
    expect(results.flatMap(({ findings }) => findings)).toEqual([]);
  });
});

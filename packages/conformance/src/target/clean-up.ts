// What a run has made, and taking it away again through the admin API, as any client would.
import type { Answer } from './send-request.ts';
import { sendRequest } from './send-request.ts';

/** By the input that names each for the admin API, so that nothing is there twice. */
export type Made = Record<Kind, Set<string>>;
type Kind = 'sessions' | 'players' | 'sessionTypes' | 'sandboxes';

export type CleanedUp = {
  removed: Record<Kind, number>;
  /** One sentence for each that could not be removed. */
  problems: string[];
};

export const createMade = (): Made => ({
  sessions: new Set(),
  players: new Set(),
  sessionTypes: new Set(),
  sandboxes: new Set(),
});

const ADMIN_PATH = /^\/admin\/trpc\/([\w.]+)$/;
const JOIN_PATH = /^\/session\/v1\/platform\/[^/]+\/platform-session\/[^/]+\/player\/([^/?]+)/;

/** Records what a response shows to have been created: a join can create a player. */
export const noteMade = (made: Made, { request, status, body }: Answer): void => {
  if (status !== 200 || request?.method !== 'POST') return;
  const note = (kind: Kind, input: object) => made[kind].add(JSON.stringify(input));
  const [, player] = JOIN_PATH.exec(request.path) ?? [];
  if (player) note('players', { player_uuid: player.toLowerCase() });
  const [, procedure] = ADMIN_PATH.exec(request.path) ?? [];
  const data = dataOf(body);
  if (procedure === undefined || data === undefined) return;
  const { session, sandbox_id, player_uuid, type } = data;
  if (procedure === 'sandboxes.create') note('sandboxes', { sandbox_id });
  if (procedure === 'players.register') note('players', { player_uuid });
  if (procedure === 'sessionTypes.upsert') note('sessionTypes', { type });
  if (procedure === 'sessions.create' && isRecord(session)) {
    note('sessions', { type: session.type, session_id: session.session_id });
  }
  if (procedure === 'sessions.invitePlayer') noteInput(made, request.body);
};

/** Who is invited is registered. */
const noteInput = (made: Made, body: string | Uint8Array = '{}'): void => {
  const { player_uuid } = JSON.parse(String(body)) as { player_uuid?: string };
  if (player_uuid) made.players.add(JSON.stringify({ player_uuid: player_uuid.toLowerCase() }));
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const dataOf = (body: unknown): Record<string, unknown> | undefined => {
  const result = isRecord(body) ? body.result : undefined;
  const data = isRecord(result) ? result.data : undefined;
  return isRecord(data) ? data : undefined;
};

/** Of something that a case has taken away itself, or has not made after all. */
const GONE = new Set([
  'session_not_found',
  'player_not_found',
  'session_type_not_found',
  'sandbox_not_found',
]);

const SIDE_BY_SIDE = 16;

/** In the order in which one lets go of the other. Never rejects for what the service refuses. */
export const cleanUp = async (
  target: { settings: { baseUrl: URL }; token: string; made: Made },
  signal: AbortSignal = new AbortController().signal,
): Promise<CleanedUp> => {
  const { made, token } = target;
  const result: CleanedUp = {
    removed: { sessions: 0, players: 0, sessionTypes: 0, sandboxes: 0 },
    problems: [],
  };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const send = (request: Parameters<typeof sendRequest>[1]) =>
    sendRequest(target.settings.baseUrl, request, signal);
  const mutate = (procedure: string, body: string) =>
    send({ method: 'POST', path: `/admin/trpc/${procedure}`, headers, body });

  /** False when it was gone. A protected sandbox is not deleted, and asks for its name, as a person would have to. */
  const remove = async (procedure: string, input: string): Promise<boolean> => {
    const answer = await mutate(procedure, input);
    if (answer.status === 200) return true;
    if (!GONE.has(codeOf(answer))) result.problems.push(`${procedure} ${input}: ${answer.text}`);
    return false;
  };
  const removeSession = async (input: string): Promise<boolean> => {
    await remove('sessions.end', input);
    return remove('sessions.delete', input);
  };
  const removeSandbox = async (input: string): Promise<boolean> => {
    const path = `/admin/trpc/sandboxes.get?input=${encodeURIComponent(input)}`;
    const sandbox = dataOf((await send({ method: 'GET', path, headers })).body);
    if (!sandbox) return false;
    const typed = { ...JSON.parse(input), confirm_sandbox_name: sandbox.name };
    const lifted = { ...typed, protected: false };
    if (sandbox.protected) await mutate('sandboxes.update', JSON.stringify(lifted));
    return remove('sandboxes.delete', JSON.stringify(typed));
  };
  const steps: [Kind, (input: string) => Promise<boolean>][] = [
    ['sessions', removeSession],
    ['players', (input) => remove('players.delete', input)],
    ['sessionTypes', (input) => remove('sessionTypes.delete', input)],
    ['sandboxes', removeSandbox],
  ];
  for (const [kind, removeOne] of steps) {
    const waiting = made[kind].values();
    const work = async () => {
      for (const input of waiting) {
        const isRemoved = await removeOne(input);
        if (isRemoved) result.removed[kind] += 1;
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    made[kind].clear();
  }
  return result;
};

const codeOf = ({ body }: Answer): string => {
  const error = isRecord(body) && isRecord(body.error) ? body.error.data : undefined;
  return isRecord(error) ? String(error.error_code) : '';
};

export const describeCleanUp = ({ removed, problems }: CleanedUp): string =>
  [
    `removed ${removed.sessions} sessions, ${removed.players} players, ${removed.sessionTypes} session types, ${removed.sandboxes} sandboxes`,
    ...problems.map((problem) => `not removed: ${problem}`),
  ].join('\n');

// Makes the provider states of one interaction true through the service's own APIs.

import type { HistoryOperation } from '@muster/contract';
import type { PactInteraction, ProviderStateUse } from '../findings.ts';
import type {
  ItemStateParameters,
  RequestRoute,
  ResolvedState,
  XpStateParameters,
} from '../provider-states/resolve-state.ts';
import { readRoute, resolveState } from '../provider-states/resolve-state.ts';
import { EXAMPLE_PLAYER_UUID } from '../provider-states/state-definition.ts';
import { generatePath, valuesOfStates, writtenPath } from '../provider-states/state-values.ts';
import type { Aliases } from './aliases.ts';
import { createAliases } from './aliases.ts';
import type { StateContext } from './apply-session.ts';
import { applySession } from './apply-session.ts';
import type { Refusal } from './make-refusal.ts';
import { makeRefusal } from './make-refusal.ts';
import type { Answer, ServiceClient } from './service-client.ts';
import { StateError } from './service-client.ts';
import type { Signer } from './sign-token.ts';
import { signForCaller } from './sign-token.ts';

/** The prepared data for the request of an interaction. */
export type AppliedStates = {
  aliases: Aliases;
  route: RequestRoute | null;
  /** The Authorization header of the caller; null when there is to be none. */
  authorization: string | null;
  /** The response to the request, where a state refuses it. */
  refusal: Refusal | null;
  /** What the pact's generators may read, with the pact's own ids. */
  values: Readonly<Record<string, unknown>>;
  /** Ends what was made, so that a running service is left tidy. Never throws. */
  undo: () => Promise<void>;
};

/** Throws StateError when a state is unknown, its parameters are wrong or the service refuses to make it true. */
export const applyStates = async (
  { states, content }: PactInteraction,
  service: ServiceClient,
  signer: Signer,
): Promise<AppliedStates> => {
  const path = writtenPath(content);
  const resolved = states.map((use) => resolve(use, path));
  const aliases = createAliases();
  const context: StateContext = { aliases, service, sandboxes: new Set(), sessions: [] };
  const values = valuesOfStates(resolved);
  const route = readRoute(generatePath(content, values));
  await makeKnown(resolved, route, context);
  for (const state of resolved) await applyOne(state, context);
  const refused = resolved.find((state) => state.name === 'a temporary refusal')?.parameters;
  const caller = resolved.find((state) => state.name === 'the caller')?.parameters;
  return {
    aliases,
    route,
    authorization: await signForCaller(caller, findPlayer(resolved, route), aliases, signer),
    refusal: refused ? makeRefusal(refused, route) : null,
    values,
    undo: () => endSessions(context),
  };
};

/** The path of a read names no player: the state names the player who reads. */
const findPlayer = (
  states: readonly ResolvedState[],
  route: RequestRoute | null,
): string | undefined => {
  if (route?.operation !== 'readSession') return route?.parameters.player_uuid;
  const seated = states.find((state) => state.name === 'a player is seated in a session');
  return seated?.parameters.player_uuid ?? EXAMPLE_PLAYER_UUID;
};

/** The static check has reported what is wrong with the state. */
const resolve = (use: ProviderStateUse, path: string): ResolvedState => {
  const { state } = resolveState(use, path);
  if (state) return state;
  throw new StateError(`the state "${use.name}" or one of its parameters is unknown or wrong`);
};

/** Where there is a session, its player is known, unless a state says that the service never saw them. */
const makeKnown = async (
  states: readonly ResolvedState[],
  route: RequestRoute | null,
  { aliases, service }: StateContext,
): Promise<void> => {
  const player = route?.parameters.player_uuid;
  const hasSession = states.some(({ name }) => name === 'a session');
  const isUnknown = states.some(({ name }) => name === 'no such player');
  if (!player || !hasSession || isUnknown || aliases.uuid(player) === player) return;
  await service.change('players.register', { player_uuid: aliases.uuid(player) });
};

const CLIENT_SETTINGS = { platform: 'Steam', input: 'gamepad' } as const;

/** A state about something absent needs no request: every id of an interaction is a fresh one. */
const applyOne = async (state: ResolvedState, context: StateContext): Promise<void> => {
  const { aliases, service } = context;
  if (state.name === 'a session') await applySession(state.parameters, context);
  if (state.name === 'a player is seated in a session') {
    const { player_uuid, team_id, status, ...session } = state.parameters;
    const seat = { player_uuid, team_id, status, client_settings: CLIENT_SETTINGS };
    await applySession({ ...session, seats: [seat, ...session.seats] }, context);
  }
  if (state.name === 'an Item with versions') {
    await writeVersions('items', 'item_id', state.parameters, context);
  }
  if (state.name === 'an Xp table with versions') {
    await writeVersions('xp', 'xp_id', state.parameters, context);
  }
  if (state.name === 'a known player') {
    const { player_uuid, player_id, display_name } = state.parameters;
    await service.change('players.register', {
      player_uuid: aliases.uuid(player_uuid),
      player_id: player_id === undefined ? undefined : aliases.playerId(player_id),
      display_name,
    });
  }
};

const endSessions = async ({ service, sessions }: StateContext): Promise<void> => {
  await Promise.allSettled(sessions.map((name) => service.change('sessions.end', name)));
};

// Writes the versions of a record that a state asks for, one edit after the other.

const MAX_DESCRIPTION_LENGTH = 4096;

type HistoryParameters = (ItemStateParameters | XpStateParameters) & {
  item_id?: string;
  xp_id?: string;
};

type Version = { versionId: string; description: string | undefined };

const writeVersions = async (
  router: 'items' | 'xp',
  idName: 'item_id' | 'xp_id',
  { sandbox_id: written, versions, account_id, ...record }: HistoryParameters,
  context: StateContext,
): Promise<void> => {
  const sandbox_id = await makeSandbox(written, context);
  const call = (operation: string, input: object) =>
    context.service.change(`${router}.${operation}`, { sandbox_id, ...input }, account_id);
  let current = await call('create', record);
  const history = [toVersion(current)];
  for (const operation of operationsOf(versions).slice(1)) {
    const input = describeEdit(operation, current, history, record);
    const expected = { [idName]: record[idName], expected_version: current.version };
    current = await call(operation, { ...input, ...expected });
    history.push(toVersion(current));
  }
};

const makeSandbox = async (id: string, context: StateContext): Promise<string> => {
  const sandbox_id = context.aliases.uuid(id);
  if (context.sandboxes.has(sandbox_id)) return sandbox_id;
  context.sandboxes.add(sandbox_id);
  await context.service.change('sandboxes.create', { name: 'Pact verification', sandbox_id });
  return sandbox_id;
};

const operationsOf = (versions: number | HistoryOperation[]): readonly HistoryOperation[] =>
  typeof versions === 'number'
    ? Array.from({ length: versions }, (_, index) => (index === 0 ? 'insert' : 'update'))
    : versions;

const toVersion = (answer: Answer): Version => ({
  versionId: String(answer.version_id),
  description: answer.description === undefined ? undefined : String(answer.description),
});

const describeEdit = (
  operation: HistoryOperation,
  current: Answer,
  history: readonly Version[],
  record: { name: string; description?: string | undefined },
): object => {
  if (operation === 'update') {
    const edit = ` (edit ${history.length})`;
    const text = record.description ?? record.name;
    return { description: text.slice(0, MAX_DESCRIPTION_LENGTH - edit.length) + edit };
  }
  if (operation !== 'restore' || current.deleted === true) return {};
  return { version_id: findEarlier(current, history).versionId };
};

/** A restore to what the record is already would write nothing. */
const findEarlier = (current: Answer, history: readonly Version[]): Version => {
  const { description } = toVersion(current);
  const earlier = history.findLast((version) => version.description !== description);
  if (earlier) return earlier;
  throw new StateError('a restore has no earlier version to return to');
};

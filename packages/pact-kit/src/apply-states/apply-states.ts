// Makes the provider states of one interaction true through the service's own APIs.
import type { ProviderStateUse } from '../pact-file.ts';
import type { RequestRoute, ResolvedState } from '../provider-states/index.ts';
import { readRoute, resolveState } from '../provider-states/index.ts';
import type { Aliases } from './aliases.ts';
import { createAliases } from './aliases.ts';
import { applyItemVersions, applyXpVersions } from './apply-history.ts';
import { applySession } from './apply-session.ts';
import type { ServiceClient } from './service-client.ts';
import { StateError } from './service-client.ts';
import { signForCaller } from './sign-for-caller.ts';
import type { Signer } from './sign-token.ts';
import type { StateContext } from './state-context.ts';

export type InteractionStates = {
  states: readonly ProviderStateUse[];
  /** Path of the request as the pact has it, without query. */
  path: string;
};

/** What stands ready for the request of an interaction. */
export type AppliedStates = {
  aliases: Aliases;
  route: RequestRoute | null;
  /** The Authorization header of the caller; null when there is to be none. */
  authorization: string | null;
  /** Ends what was made, so that a running service is left tidy. Never throws. */
  undo: () => Promise<void>;
};

/** Throws StateError when a state is unknown, its parameters are wrong or the service refuses to make it true. */
export const applyStates = async (
  { states, path }: InteractionStates,
  service: ServiceClient,
  signer: Signer,
): Promise<AppliedStates> => {
  const resolved = states.map((use) => resolve(use, path));
  const aliases = createAliases();
  const context: StateContext = { aliases, service, sandboxes: new Set(), sessions: [] };
  const route = readRoute(path);
  await makeKnown(resolved, route, context);
  for (const state of resolved) await applyOne(state, context);
  const caller = resolved.find((state) => state.name === 'the caller')?.parameters;
  return {
    aliases,
    route,
    authorization: await signForCaller(caller, route, aliases, signer),
    undo: () => endSessions(context),
  };
};

const resolve = (use: ProviderStateUse, path: string): ResolvedState => {
  const { state, problems } = resolveState(use, path);
  if (state) return state;
  throw new StateError(
    `the state "${use.name}" cannot be applied: ${problems.map(say).join('; ')}`,
  );
};

type StateProblem = ReturnType<typeof resolveState>['problems'][number];

const say = (problem: StateProblem): string => {
  if (problem.kind === 'unknown-state') return 'there is no such state';
  const parameter = problem.path.join('.');
  if (problem.kind === 'unknown-parameter') return `it has no parameter ${parameter}`;
  if (problem.kind === 'missing-parameter') return `it needs the parameter ${parameter}`;
  return `its parameter ${parameter} is wrong: ${problem.reason}`;
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

/** What is to be absent needs nothing: its id is a fresh one, as every id of an interaction is. */
const applyOne = async (state: ResolvedState, context: StateContext): Promise<void> => {
  const { aliases, service } = context;
  if (state.name === 'a session') await applySession(state.parameters, context);
  if (state.name === 'an Item with versions') await applyItemVersions(state.parameters, context);
  if (state.name === 'an Xp table with versions') await applyXpVersions(state.parameters, context);
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

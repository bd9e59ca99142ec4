// What the pact leaves out and what the service said are often the quickest way to the mistake.

import type { Finding, PactInteraction } from '../findings.ts';
import type { ProviderStateName } from '../provider-states/resolve-state.ts';
import { readRoute } from '../provider-states/resolve-state.ts';
import { REFUSAL_CODES } from '../provider-states/session-states.ts';
import type { OperationName } from '../provider-states/state-definition.ts';
import { readHttp } from '../static-check/http-interaction.ts';
import { isRecord } from '../values.ts';
import { findUncompared } from './find-uncompared.ts';
import type { InteractionJob } from './interaction-proxy.ts';

/** Adds to the first mismatch what concerns the whole response, and to each one about an empty list how to fill it. */
export const addHints = (findings: readonly Finding[], job: InteractionJob): Finding[] => {
  const missing = findMissingState(job.interaction);
  const about = [...(missing ? [missing] : []), ...describeBody(job.seen.body)];
  const uncompared = missing ? [] : findUncompared(job);
  return findings.map((finding, index) => {
    const { line, column } = finding.place;
    const empty = uncompared.find(({ place }) => place.line === line && place.column === column);
    const hints = [...(index === 0 ? about : []), ...(empty?.suggestion ? [empty.suggestion] : [])];
    return hints.length === 0 ? finding : { ...finding, suggestion: hints.join(' ') };
  });
};

const STATES_TO_TRY: Record<OperationName, ProviderStateName> = {
  joinByPlatformSession: 'a session',
  listItemHistory: 'an Item with versions',
  listXpHistory: 'an Xp table with versions',
  readSession: 'a player is seated in a session',
  listPlayerSessions: 'a player is seated in a session',
  leaveSession: 'a player is seated in a session',
};

/** Every interaction begins with nothing, so one without a state meets nothing but itself. */
const findMissingState = (interaction: PactInteraction): string | null => {
  const { request, response } = readHttp(interaction);
  const names = interaction.states.map(({ name }) => name);
  const code = isRecord(response.body) ? response.body.error_code : undefined;
  const refusal = REFUSAL_CODES.find((one) => one === code);
  if (refusal && !names.includes('a temporary refusal')) {
    return `Only the provider state 'a temporary refusal' with the error_code ${refusal} gives this response.`;
  }
  if (names.some((name) => name !== 'the caller')) return null;
  const route = readRoute(request.path);
  return (
    route && `The interaction names no provider state; try '${STATES_TO_TRY[route.operation]}'.`
  );
};

const MAX_DETAILS = 3;

/** The error code, or what the service says about a request that it refused with 422. */
const describeBody = (body: unknown): string[] => {
  const { error_code: code, detail } = isRecord(body) ? body : {};
  if (typeof code === 'string') return [`The service answered with the error code ${code}.`];
  const problems = (Array.isArray(detail) ? detail : []).flatMap((one: unknown) =>
    isRecord(one) && Array.isArray(one.loc) ? [`${one.loc.join('.')}: ${one.msg}`] : [],
  );
  if (problems.length === 0) return [];
  const more = problems.length - MAX_DETAILS;
  const shown = problems.slice(0, MAX_DETAILS).join('; ');
  return [`The service refused ${shown}${more > 0 ? `; and ${more} more` : ''}.`];
};

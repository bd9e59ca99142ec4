import type { Instance, JoinStatus } from '@muster/contract';
import { ServiceError } from '../errors/service-error.ts';

/** The documented transitions; closed is terminal, and any state may close. */
const TRANSITIONS: Record<JoinStatus, readonly JoinStatus[]> = {
  requested: ['allocated', 'closed'],
  allocated: ['pending', 'closed'],
  pending: ['joinable', 'closed'],
  joinable: ['unjoinable', 'pending', 'closed'],
  unjoinable: ['joinable', 'closed'],
  closed: [],
};

const HOST_FIELDS = [
  'host_type',
  'host_player_id',
  'host_player_uuid',
  'host_dedicated_process_id',
  'host_dedicated_server_id',
] as const satisfies readonly (keyof Instance)[];

/** The states that an instance may move to; none for a session without one. */
export const listTransitions = (instance: Instance | undefined): readonly JoinStatus[] =>
  instance ? TRANSITIONS[instance.join_status] : [];

/**
 * Checks that an instance may follow the current one. A new instance_id starts in any state; the same
 * one keeps its host and moves along the transitions. Errors: `instance_transition`.
 */
export const checkInstanceChange = (current: Instance | undefined, next: Instance): void => {
  if (!current || current.instance_id !== next.instance_id) return;
  const replaced = HOST_FIELDS.find((field) => current[field] !== next[field]);
  if (replaced) {
    const desc = `${replaced} of an instance cannot change; a host is replaced by a new instance.`;
    throw new ServiceError('instance_transition', { desc });
  }
  const { join_status: from } = current;
  const { join_status: to } = next;
  if (from === to || TRANSITIONS[from].includes(to)) return;
  const allowed = TRANSITIONS[from].join(', ') || 'none';
  const desc = `An instance cannot move from ${from} to ${to}; allowed: ${allowed}.`;
  throw new ServiceError('instance_transition', { desc });
};

// Setting the instance of a session, whole or its state alone, as pure functions on the aggregate.
import { isDeepStrictEqual } from 'node:util';
import type { Instance, InstanceHealth, InstanceInput, JoinStatus } from '@muster/contract';
import { ServiceError } from '../errors/service-error.ts';
import type { ChangeResult } from './change-result.ts';
import { changed } from './change-result.ts';
import { checkInstanceChange } from './instance-rules.ts';
import { withCreated } from './session-changes.ts';
import type { SessionState } from './session-state.ts';

export const setInstance = (
  session: SessionState,
  input: InstanceInput | null,
  now: Date,
): ChangeResult | null => {
  const current = session.details.instance;
  const sameInstance = current?.instance_id === input?.instance_id ? current : undefined;
  const instance: Instance | undefined = input ? withCreated(input, sameInstance, now) : undefined;
  if (instance) checkInstanceChange(current, instance);
  if (isDeepStrictEqual(instance, current)) return null;
  const detail = instance && {
    instance_id: instance.instance_id,
    join_status: instance.join_status,
    ...(instance.instance_health && { instance_health: instance.instance_health }),
  };
  return changed(
    { ...session, details: { ...session.details, instance } },
    { kind: 'instance_set', detail },
  );
};

export type InstanceStatus = {
  joinStatus?: JoinStatus | undefined;
  instanceHealth?: InstanceHealth | undefined;
};

/** Moves the instance along its transitions; health moves freely. Errors: `instance_not_found`, `instance_transition`. */
export const setInstanceStatus = (
  session: SessionState,
  { joinStatus, instanceHealth }: InstanceStatus,
  now: Date,
): ChangeResult | null => {
  const { instance } = session.details;
  if (!instance) throw new ServiceError('instance_not_found');
  const next: InstanceInput = {
    ...instance,
    ...(joinStatus && { join_status: joinStatus }),
    ...(instanceHealth && { instance_health: instanceHealth }),
  };
  return setInstance(session, next, now);
};

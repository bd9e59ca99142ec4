import { ServiceError } from '../errors/service-error.ts';
import type { JoinService } from './join-service.ts';

export type WaitingJoins = JoinService & {
  /** Joins that wait for a look-up, for their turn, or for their write. */
  count(): number;
};

/** Bounds the joins that wait, from their first look-up to their answer; more are refused as `service_overloaded` at once. */
export const limitWaitingJoins = (joins: JoinService, max: number): WaitingJoins => {
  let waiting = 0;
  const leave = () => {
    waiting -= 1;
  };
  return {
    count: () => waiting,
    join: (caller, input) => {
      if (waiting >= max) return Promise.reject(new ServiceError('service_overloaded'));
      waiting += 1;
      const joined = joins.join(caller, input);
      joined.then(leave, leave);
      return joined;
    },
  };
};

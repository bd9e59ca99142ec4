import { createStoredValue } from './stored-value.ts';

export type TimeZone = 'local' | 'utc';

/** Whether times are shown in the zone of this machine or in UTC. */
export const timeZone = createStoredValue<TimeZone>(
  'time-zone',
  'local',
  (text) => text === 'local' || text === 'utc',
);

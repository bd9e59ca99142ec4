import type { Session } from '@muster/client';

/** Where the match runs: not yet anywhere, at an address, or no more. */
export type Host =
  | { state: 'waiting' }
  | { state: 'ready'; address: string; parameters: Readonly<Record<string, string>> }
  | { state: 'over' };

/** An instance that is `unjoinable` takes no new players, but those who have a seat may still connect. */
export const readHost = ({ instance }: Pick<Session, 'instance'>): Host => {
  if (instance?.join_status === 'closed') return { state: 'over' };
  const isUp = instance?.join_status === 'joinable' || instance?.join_status === 'unjoinable';
  if (!isUp || !instance.join_params) return { state: 'waiting' };
  const { public_conn_str, custom_data = {} } = instance.join_params;
  return { state: 'ready', address: public_conn_str, parameters: custom_data };
};

import { InstanceHealth, JoinStatus, Platform } from '@muster/contract';
import { z } from 'zod';
import { tableSearchFields } from '../../components/data-table/table-search.ts';

const word = z.coerce.string().optional().catch(undefined);

/** What the address says besides the path. Anything else, or anything wrong, is left out. */
export const SessionsSearch = z.object({
  ...tableSearchFields,
  type: word,
  player: word,
  platform: Platform.optional().catch(undefined),
  joinable: z.enum(['yes', 'no']).optional().catch(undefined),
  fill: z.enum(['empty', 'open', 'full']).optional().catch(undefined),
  join_status: JoinStatus.optional().catch(undefined),
  instance_health: InstanceHealth.optional().catch(undefined),
  created_from: word,
  created_to: word,
  state: z.literal('ended').optional().catch(undefined),
});
export type SessionsSearch = z.infer<typeof SessionsSearch>;

/** Those that filter, for "Clear filters". */
export const SESSION_FILTERS = [
  'type',
  'player',
  'platform',
  'joinable',
  'fill',
  'join_status',
  'instance_health',
  'created_from',
  'created_to',
  'state',
] as const satisfies readonly (keyof SessionsSearch)[];

// The moments of scheduled change sets.
import type { Web } from './web.ts';

/** Makes a moment of a scheduled change set the present one. */
export const reachMoment = (
  web: Web,
  change_set_id: string,
  moment: 'apply_at' | 'return_at',
): Promise<unknown> =>
  web.withDatabase(({ pool }) =>
    pool.query(
      `UPDATE change_set SET ${moment} = now(), next_step_at = now() WHERE change_set_id = $1`,
      [change_set_id],
    ),
  );

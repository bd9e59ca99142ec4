// @muster/database/distribution: where the tables live on Citus.
export { PLACEMENTS, type Placement } from './placements.ts';

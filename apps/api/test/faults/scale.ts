// How long the faults last: short in every run of the tests, longer in `npm run faults`.

/** Multiplies the load of each fault. */
export const SCALE = Number(process.env.FAULTS_SCALE ?? 1);

// Loaded into a service before everything else: its clock is wrong by as many seconds as the file CLOCK_SKEW_FILE says, which it
// reads again at each SIGUSR2. Time that only runs, performance.now() and timers, is left alone, as it is on a machine whose
// clock somebody sets.
import { readFileSync } from 'node:fs';

const RealDate = Date;
let skewMs = 0;

const readSkew = (): void => {
  skewMs = Number(readFileSync(process.env.CLOCK_SKEW_FILE ?? '', 'utf8')) * 1_000;
};

class SkewedDate extends RealDate {
  constructor(...parts: []) {
    if (parts.length === 0) super(SkewedDate.now());
    else super(...parts);
  }

  static override now(): number {
    return RealDate.now() + skewMs;
  }
}

globalThis.Date = SkewedDate as DateConstructor;
process.on('SIGUSR2', readSkew);
readSkew();

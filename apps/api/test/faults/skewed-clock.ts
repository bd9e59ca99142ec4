// Loaded into a service before everything else: its clock is wrong by the seconds in the file CLOCK_SKEW_FILE, which it
// reads again at each SIGUSR2. Monotonic time, performance.now() and timers, is unchanged, as when an operator sets the
// clock.
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

import classes from './seat-meter.module.css';

/** How many seats are taken, as numbers and as a bar. */
export const SeatMeter = ({ seats, capacity }: { seats: number; capacity: number }) => (
  <span className={classes.meter}>
    <span className="numbers">
      {seats} of {capacity}
    </span>
    <span className={classes.track} aria-hidden>
      <span
        className={classes.bar}
        data-full={seats >= capacity || undefined}
        style={{ width: `${capacity === 0 ? 0 : Math.min(100, (100 * seats) / capacity)}%` }}
      />
    </span>
  </span>
);

// The lives of a session type: durations in seconds that people read and type in words.

export const LIVES = [
  {
    name: 'invitation_ttl_seconds',
    label: 'Invitations',
    description: 'An invited seat is free again after this time.',
  },
  {
    name: 'reservation_ttl_seconds',
    label: 'Reservations',
    description: 'A reserved seat is free again after this time.',
  },
  {
    name: 'absent_ttl_seconds',
    label: 'Absent players',
    description: 'A player who is marked absent loses the seat after this time.',
  },
  {
    name: 'ended_retention_seconds',
    label: 'Ended sessions',
    description: 'An ended session and its timeline are deleted after this time.',
  },
] as const;

export type LifeName = (typeof LIVES)[number]['name'];

export const UNITS = [
  { value: '1', label: 'seconds' },
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
] as const;

/** The largest unit that leaves no rest. */
export const unitOf = (seconds: number): number => {
  const fitting = UNITS.map(({ value }) => Number(value)).filter((unit) => seconds % unit === 0);
  return Math.max(1, ...fitting);
};

/** "15 minutes", "1 day", "for ever". */
export const describeLife = (seconds: number | undefined): string => {
  if (seconds === undefined) return 'for ever';
  const unit = unitOf(seconds);
  const count = seconds / unit;
  const label = UNITS.find(({ value }) => Number(value) === unit)?.label ?? 'seconds';
  return `${count.toLocaleString('en')} ${count === 1 ? label.slice(0, -1) : label}`;
};

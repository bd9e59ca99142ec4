import type { VersionMatch } from '@muster/contract';
import { useQuery } from '@tanstack/react-query';
import type { ApiOutputs } from '../../api/client.ts';
import { trpc } from '../../api/client.ts';

export type SessionType = ApiOutputs['sessionTypes']['list']['session_types'][number];

const NONE: readonly SessionType[] = [];

/** The configured types; sessions may have others. Empty while loading. */
export const useSessionTypes = (): readonly SessionType[] =>
  useQuery(trpc.sessionTypes.list.queryOptions()).data?.session_types ?? NONE;

/** The durations of a session type, in seconds, and the word for an absent one. */
export const LIFETIMES = [
  {
    name: 'invitation_ttl_seconds',
    label: 'Invitations',
    unset: 'forever',
    description: 'An invited seat is free again after this time.',
  },
  {
    name: 'reservation_ttl_seconds',
    label: 'Reservations',
    unset: 'forever',
    description: 'A reserved seat is free again after this time.',
  },
  {
    name: 'absent_ttl_seconds',
    label: 'Absent players',
    unset: 'forever',
    description: 'A player who is marked absent loses the seat after this time.',
  },
  {
    name: 'idle_ttl_seconds',
    label: 'Idle sessions',
    unset: 'forever',
    description:
      'A session without seated players ends after this time. Invitations and reservations do not keep it alive.',
  },
  {
    name: 'max_age_seconds',
    label: 'Age',
    unset: 'unlimited',
    description: 'A session ends at this age, with or without players.',
  },
  {
    name: 'ended_retention_seconds',
    label: 'Ended sessions',
    unset: 'default',
    description:
      'An ended session and its timeline are deleted after this time. Without it, the setting ENDED_SESSION_RETENTION_DAYS of the service applies.',
  },
] as const;

export const UNITS = [
  { value: '1', label: 'seconds' },
  { value: '60', label: 'minutes' },
  { value: '3600', label: 'hours' },
  { value: '86400', label: 'days' },
] as const;

/** The largest unit that divides the duration exactly. */
export const unitOf = (seconds: number): number => {
  const fitting = UNITS.map(({ value }) => Number(value)).filter((unit) => seconds % unit === 0);
  return Math.max(1, ...fitting);
};

/** "15 minutes", "1 day", or the word for an absent one. */
export const describeDuration = (seconds: number | undefined, unset: string): string => {
  if (seconds === undefined) return unset;
  const unit = unitOf(seconds);
  const count = seconds / unit;
  const label = UNITS.find(({ value }) => Number(value) === unit)?.label ?? 'seconds';
  return `${count.toLocaleString('en')} ${count === 1 ? label.slice(0, -1) : label}`;
};

/** Describes which part of the client's version must equal the instance's version, with an example. */
export const VERSION_RULES: Record<VersionMatch, { label: string; example: string }> = {
  none: { label: 'Any version', example: 'Clients of every version may join.' },
  major: { label: 'Same major', example: 'An instance of 1.4.2 takes 1.0.0, but not 2.0.0.' },
  minor: { label: 'Same minor', example: 'An instance of 1.4.2 takes 1.4.0, but not 1.5.0.' },
  patch: {
    label: 'Same patch',
    example: 'An instance of 1.4.2 takes 1.4.2 and 1.4.2-beta, but not 1.4.3.',
  },
  exact: {
    label: 'Exactly the same',
    example: 'An instance of 1.4.2 takes 1.4.2, but not 1.4.2-beta.',
  },
};

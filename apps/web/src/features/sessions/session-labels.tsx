// The labels and colours for the states of sessions, instances and seats.
import type { Tone } from '../../ui/facts.tsx';
import { Tag } from '../../ui/facts.tsx';

type Word = { label: string; tone: Tone };

export const JOIN_STATUS_LABELS: Record<string, Word & { means: string }> = {
  requested: { label: 'Requested', tone: 'info', means: 'a host has been asked for' },
  allocated: { label: 'Allocated', tone: 'info', means: 'a host is reserved, not started yet' },
  pending: { label: 'Pending', tone: 'warn', means: 'the host starts up' },
  joinable: { label: 'Joinable', tone: 'good', means: 'it takes players' },
  unjoinable: { label: 'Unjoinable', tone: 'warn', means: 'it runs, but takes no new players' },
  closed: { label: 'Closed', tone: 'bad', means: 'it has ended; the session needs a new one' },
};

export const HEALTH_LABELS: Record<string, Word> = {
  healthy: { label: 'Healthy', tone: 'good' },
  degraded: { label: 'Degraded', tone: 'warn' },
  unhealthy: { label: 'Unhealthy', tone: 'bad' },
  unknown: { label: 'Health unknown', tone: 'neutral' },
};

export const SEAT_LABELS: Record<string, Word> = {
  leader: { label: 'Leader', tone: 'good' },
  member: { label: 'Member', tone: 'neutral' },
  invited: { label: 'Invited', tone: 'info' },
  reserved: { label: 'Reserved', tone: 'info' },
};

export const INPUT_LABELS: Record<string, string> = {
  keyboardandmouse: 'Keyboard and mouse',
  gamepad: 'Gamepad',
  touch: 'Touch',
};

/** Short labels. */
export const SHORT_INPUT_LABELS: Record<string, string> = {
  ...INPUT_LABELS,
  keyboardandmouse: 'Keyboard',
};

export const toChoices = (words: Record<string, { label: string } | string>) =>
  Object.entries(words).map(([value, word]) => ({
    value,
    label: typeof word === 'string' ? word : word.label,
  }));

const ALL = { seat: SEAT_LABELS, instance: JOIN_STATUS_LABELS, health: HEALTH_LABELS };

/** Shows the state of a seat, an instance or its health as a coloured tag. */
export const StateTag = ({ of, value }: { of: keyof typeof ALL; value: string }) => {
  const word = ALL[of][value];
  return <Tag tone={word?.tone}>{word?.label ?? value}</Tag>;
};

// The choices of the filter "Last activity". The words are part of URLs.
export const IDLE_SECONDS = {
  '15m': 900,
  '1h': 3_600,
  '6h': 21_600,
  '1d': 86_400,
  '7d': 604_800,
} as const;

export type IdleTime = keyof typeof IDLE_SECONDS;

export const IDLE_CHOICES: readonly { value: IdleTime; label: string }[] = [
  { value: '15m', label: 'Over 15 minutes ago' },
  { value: '1h', label: 'Over 1 hour ago' },
  { value: '6h', label: 'Over 6 hours ago' },
  { value: '1d', label: 'Over 1 day ago' },
  { value: '7d', label: 'Over 7 days ago' },
];

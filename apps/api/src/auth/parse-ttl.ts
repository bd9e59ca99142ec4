const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Seconds of a time such as 30s, 15m, 1h or 7d; null for anything else, zero too. */
export const parseTtl = (text: string): number | null => {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const seconds = Number(amount) * (SECONDS[unit ?? ''] ?? Number.NaN);
  return seconds > 0 ? seconds : null;
};

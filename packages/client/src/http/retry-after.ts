/**
 * Seconds that the header Retry-After asks to wait: a number, or the time until a date, which
 * gateways send (RFC 9110 section 10.2.3). Undefined when it is absent or says neither.
 */
export const readRetryAfter = (headers: Headers, nowMs = Date.now()): number | undefined => {
  const value = headers.get('retry-after')?.trim();
  if (!value) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  // Date.parse reads numbers and much else as dates; an HTTP date begins with its weekday.
  const dateMs = /^[A-Z][a-z]+, /.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(dateMs) ? undefined : Math.max(0, Math.ceil((dateMs - nowMs) / 1000));
};

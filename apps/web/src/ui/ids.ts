const SHORT_LENGTH = 8;

/**
 * "…5f2a9c1e": the end of an id. Our ids start with their creation time (UUIDv7, RFC 9562), so ids of one
 * day have the same prefix. Returns a short id unchanged.
 */
export const shortenId = (id: string): string =>
  id.length > SHORT_LENGTH + 1 ? `…${id.slice(-SHORT_LENGTH)}` : id;

/** A random UUID, version 4 (RFC 9562). `crypto.randomUUID` is not available on pages over plain HTTP. */
export const createUuid = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};

/** Node.js 20, on which the service runs within pact-kit, has none. */
const { transfer } = ArrayBuffer.prototype as {
  transfer?: (this: ArrayBufferLike, bytes: number) => ArrayBuffer;
};

/**
 * Returns the memory of bytes that nobody reads any more: the collector may be a long time coming for what is not on its heap, and a body of
 * many pieces leaves holes between what is still in use. They are empty afterwards, and so is what else has been made of their ArrayBuffer.
 * A part of one is left alone.
 */
export const giveBack = (bytes: Uint8Array): void => {
  const { buffer, byteLength } = bytes;
  if (byteLength === 0 || byteLength !== buffer.byteLength) return;
  try {
    transfer?.call(buffer, 0);
  } catch {
    // Shared, or held by native code: it stays with the collector.
  }
};

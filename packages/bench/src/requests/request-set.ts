// Many prepared requests in one buffer: sending one costs a view of it and no formatting.
export type RequestSet = { bytes: Buffer; ends: Float64Array; count: number };

const START_BYTES = 2 ** 20;

export const buildRequestSet = (count: number, write: (index: number) => string): RequestSet => {
  const ends = new Float64Array(count);
  let bytes: Buffer = Buffer.allocUnsafe(START_BYTES);
  let used = 0;
  for (let index = 0; index < count; index += 1) {
    const text = write(index);
    while (used + text.length > bytes.length) bytes = grow(bytes);
    used += bytes.write(text, used, 'latin1');
    ends[index] = used;
  }
  return { bytes, ends, count };
};

const grow = (bytes: Buffer): Buffer => {
  const larger = Buffer.allocUnsafe(bytes.length * 2);
  bytes.copy(larger);
  return larger;
};

/** The bytes of one request; indexes past the end begin again at the first. */
export const requestAt = ({ bytes, ends, count }: RequestSet, index: number): Buffer => {
  const at = index % count;
  return bytes.subarray(at === 0 ? 0 : ends[at - 1], ends[at]);
};

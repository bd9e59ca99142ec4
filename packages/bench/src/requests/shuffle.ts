// An order that looks random and is the same in every run.

/** Numbers in [0, 1) from a seed: mulberry32 by Tommy Ettinger (2017, public domain). */
const createRandom = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** The numbers from 0 to `count` - 1, each once, in an order that the seed decides: Fisher and Yates' shuffle. */
export const shuffle = (count: number, seed: number): Uint32Array => {
  const random = createRandom(seed);
  const order = Uint32Array.from({ length: count }, (_, index) => index);
  for (let end = count - 1; end > 0; end -= 1) {
    const picked = Math.floor(random() * (end + 1));
    [order[end], order[picked]] = [order[picked] ?? 0, order[end] ?? 0];
  }
  return order;
};

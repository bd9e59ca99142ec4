// Random choices that a seed repeats.
export type Random = {
  /** A whole number from 0 up to, not including, `limit`. */
  below: (limit: number) => number;
  pick: <T>(choices: readonly T[]) => T;
  /** The word with two neighbouring letters exchanged, or one doubled, or one left out. */
  misspell: (word: string) => string;
};

/** The linear congruential generator of Numerical Recipes: enough for choices in tests. */
export const createRandom = (seed: number): Random => {
  let state = (seed * 2_654_435_761) % 4_294_967_296;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 4_294_967_296) * limit);
  };
  const pick = <T>(choices: readonly T[]): T => {
    const chosen = choices[below(choices.length)];
    if (chosen === undefined) throw new Error('There is nothing to pick from.');
    return chosen;
  };
  const misspell = (word: string): string => {
    const at = 1 + below(word.length - 2);
    const [a = '', b = ''] = [word[at], word[at + 1]];
    const changed = pick([`${b}${a}`, `${a}${a}${b}`, b]);
    const misspelt = word.slice(0, at) + changed + word.slice(at + 2);
    return misspelt === word ? misspell(word) : misspelt;
  };
  return { below, pick, misspell };
};

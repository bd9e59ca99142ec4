/**
 * One sentence for each pact that is not committed as it was generated.
 * @param {ReadonlyMap<string, string>} committed texts by file name
 * @param {ReadonlyMap<string, string>} generated
 * @returns {string[]}
 */
export function comparePacts(committed, generated) {
  const names = [...new Set([...committed.keys(), ...generated.keys()])].sort();
  return names.flatMap((name) => {
    const [old, current] = [committed.get(name), generated.get(name)];
    if (old === current) return [];
    const path = `contracts/pacts/${name}`;
    if (old === undefined) return [`${path} is missing`];
    if (current === undefined) return [`${path} is written by no consumer's tests`];
    return [`${path} is not what its consumer's tests write`];
  });
}

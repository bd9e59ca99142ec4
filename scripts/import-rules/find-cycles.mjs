// Finds groups of files that import each other in a circle.
/** @typedef {import('./read-imports.mjs').Import} Import */

/**
 * Imports of types only do not count, since nothing is loaded for them. One circle is given per
 * starting file that closes it first; cutting it may uncover another.
 * @param {Import[]} imports @returns {string[][]} each a path of files that ends where it began
 */
export function findCycles(imports) {
  const targets = groupTargets(imports);
  const done = new Set();
  /** @type {string[][]} */
  const cycles = [];
  /** @param {string} file @param {string[]} trail */
  const visit = (file, trail) => {
    const start = trail.indexOf(file);
    if (start >= 0) cycles.push([...trail.slice(start), file]);
    if (start >= 0 || done.has(file)) return;
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file]);
    done.add(file);
  };
  for (const file of targets.keys()) visit(file, []);
  return cycles;
}

/** @param {Import[]} imports @returns {Map<string, string[]>} */
function groupTargets(imports) {
  const targets = new Map();
  for (const { from, to, typeOnly } of imports) {
    if (!typeOnly) targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  return targets;
}

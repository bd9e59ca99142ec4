// Which package manager and runtime a person uses: Bun and Deno run the project on themselves, everything else on Node.js.

/** @typedef {'npm' | 'bun' | 'deno'} PackageManager */

/**
 * Told by what runs this script, and by what started it: the scripts of package.json name Node.js, which `bun run` obeys where
 * there is one.
 * @returns {PackageManager}
 */
export function findPackageManager() {
  if (process.versions.deno) return 'deno';
  const isBun = process.versions.bun ?? process.env.npm_config_user_agent?.startsWith('bun/');
  return isBun ? 'bun' : 'npm';
}

/**
 * The runtime that is a package manager too, as a program that runs a file; null for npm.
 * @returns {{ command: string, args: string[] } | null}
 */
export function findOwnRuntime() {
  switch (findPackageManager()) {
    case 'deno':
      return { command: process.execPath, args: ['run', '--allow-all', '--quiet'] };
    case 'bun':
      return { command: findBun(), args: [] };
    default:
      return null;
  }
}

/** `bun run` says where Bun is. */
function findBun() {
  return process.versions.bun ? process.execPath : (process.env.npm_execpath ?? 'bun');
}

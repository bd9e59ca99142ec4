// The tools of a machine on which Node.js was never installed.
import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Runtime } from '../install-runtimes.ts';

/** They often share a folder with everything else, so that the folder cannot be left out. */
const OF_NODE: ReadonlySet<string> = new Set([
  ...['node', 'nodejs', 'npm', 'npx', 'corepack', 'yarn', 'yarnpkg', 'pnpm', 'pnpx'],
  ...['bun', 'bunx', 'deno'],
]);

/** Fills a folder with links to the runtime and to all that is on the path and is no JavaScript runtime: a path by itself. */
export const linkTools = (folder: string, { name, command }: Runtime): void => {
  mkdirSync(folder, { recursive: true });
  symlinkSync(command, join(folder, name));
  const linked = new Set<string>(OF_NODE);
  for (const source of (process.env.PATH ?? '').split(delimiter)) {
    for (const tool of listTools(source)) {
      if (linked.has(tool)) continue;
      linked.add(tool);
      symlinkSync(join(source, tool), join(folder, tool));
    }
  }
};

/** Folders of the path need not exist. */
const listTools = (folder: string): string[] => {
  try {
    return folder === '' ? [] : readdirSync(folder);
  } catch {
    return [];
  }
};

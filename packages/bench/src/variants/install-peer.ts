// Peers that are whole products of others are no part of the repository's installation: the first run that wants one
// installs it, pinned, into its own folder, before anything is started.
import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { stopSignal } from '../stopping/acquire.ts';

export type PeerName = 'colyseus' | 'payload';

const MAIN_PACKAGE: Record<PeerName, string> = { colyseus: '@colyseus/core', payload: 'payload' };

const readVersion = async (folder: string): Promise<string> =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).version;

const PATIENCE_MS = 5 * 60_000;

const folderOf = (name: PeerName): string =>
  fileURLToPath(new URL(`../../peers/${name}/`, import.meta.url));

type Peer = { file: string; version: string } | { missing: string };

const known = new Map<PeerName, Promise<Peer>>();

/**
 * The peer's server program, or a sentence that says why there is none. What could not be installed is not tried again: the later calls
 * come while others are being measured.
 */
export const installPeer = (name: PeerName, report: (sentence: string) => void): Promise<Peer> => {
  const peer = known.get(name) ?? findOrInstall(name, report);
  known.set(name, peer);
  return peer;
};

const findOrInstall = async (name: PeerName, report: (sentence: string) => void): Promise<Peer> => {
  const folder = folderOf(name);
  const peer = async () => ({
    file: join(folder, 'server.mjs'),
    version: await readVersion(join(folder, 'node_modules', MAIN_PACKAGE[name])),
  });
  if (await isInstalled(folder)) return peer();
  report(`Installing the peer ${name} into its own folder (once) …`);
  try {
    // Install scripts of others are not run; what they would build is optional to these peers. Not `npm ci`: it refuses
    // a lockfile without the optional binaries of other platforms, which not every registry has.
    const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    await promisify(execFile)('npm', ['install', ...options], {
      cwd: folder,
      timeout: PATIENCE_MS,
      signal: stopSignal,
    });
    return await peer();
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return { missing: `${name} is left out: it could not be installed (${reason}).` };
  }
};

/** npm writes this file last. Newer than the lockfile: what is installed is what is pinned. */
const isInstalled = async (folder: string): Promise<boolean> => {
  const [installed, locked] = await Promise.all(
    ['node_modules/.package-lock.json', 'package-lock.json'].map((file) =>
      stat(join(folder, file)).catch(() => null),
    ),
  );
  return Boolean(installed && locked && installed.mtimeMs >= locked.mtimeMs);
};

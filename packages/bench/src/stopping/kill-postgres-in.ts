// Ends the PostgreSQL of a folder whose data nobody wants any more.
import { readdir, readFile, readlink } from 'node:fs/promises';
import { sep } from 'node:path';

/**
 * Each of its processes works in the folder of its data, which /proc shows. Elsewhere than on Linux nothing is done: PostgreSQL
 * stops by itself within a minute once its folder is gone.
 */
export const killPostgresIn = async (folder: string): Promise<void> => {
  const names = await readdir('/proc').catch(() => []);
  await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((pid) => killIfIn(Number(pid), folder)),
  );
};

const killIfIn = async (pid: number, folder: string): Promise<void> => {
  const [workingDir, program] = await Promise.all([
    readlink(`/proc/${pid}/cwd`).catch(() => ''),
    readFile(`/proc/${pid}/comm`, 'utf8').catch(() => ''),
  ]);
  if (program.trim() !== 'postgres' || !workingDir.startsWith(`${folder}${sep}`)) return;
  try {
    // Its "immediate shutdown": no checkpoint for data that is about to go.
    process.kill(pid, 'SIGQUIT');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

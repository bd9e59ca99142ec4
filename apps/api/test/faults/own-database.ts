// The PostgreSQL that a service has started in its data folder, as its files describe it.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const readOwnDatabase = async (dataDir: string): Promise<{ pid: number; url: string }> => {
  const folder = join(dataDir, 'postgres');
  const file = await readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8');
  const [pid, , , port] = file.split('\n');
  const password = await readFile(join(folder, 'password'), 'utf8');
  return { pid: Number(pid), url: `postgresql://muster:${password}@127.0.0.1:${port}/muster` };
};

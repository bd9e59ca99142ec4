// Makes a data folder ready for its server: the user, the programs, and a cluster where there is none.
import { findBinaries } from './binaries.ts';
import {
  initialise,
  isInitialised,
  locateDataFolder,
  makeDataDir,
  prepareExisting,
} from './data-folder.ts';
import type { ServerControl, ServerSettings } from './server-process.ts';
import { assertReachable, chooseServerUser } from './server-user.ts';

/** Throws `EmbeddedPostgresError` with one sentence when PostgreSQL cannot run here. */
export async function prepareFolder(
  dataDir: string,
  settings: ServerSettings,
  report: (message: string) => void,
): Promise<ServerControl> {
  const folder = locateDataFolder(dataDir);
  const [binaries, user] = await Promise.all([findBinaries(), chooseServerUser(folder.cluster)]);
  await assertReachable(user, binaries.postgres);
  await makeDataDir(folder);
  if (!(await isInitialised(folder))) {
    report('Setting up PostgreSQL in an empty data folder');
    await initialise(folder, binaries, user);
  }
  await prepareExisting(folder, binaries, user);
  return { folder, binaries, user, settings };
}

// A real Citus cluster on loopback: a coordinator and workers that keep what they have committed, with the schema distributed.
import { access, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { distribute } from '../distribution/distribute.ts';
import {
  initialise,
  locateDataFolder,
  makeDataDir,
  makePassableFolder,
  SUPERUSER,
} from '../embedded/data-folder.ts';
import { databaseUrl } from '../embedded/embedded-postgres.ts';
import type { Binaries } from '../embedded/programs.ts';
import { chooseServerUser, runProgram } from '../embedded/programs.ts';
import type { ServerControl } from '../embedded/server-process.ts';
import { findFreePort, startServer } from '../embedded/server-process.ts';
import { migrateDatabase } from '../migrations/migrate-database.ts';
import type { FragileServer } from './fragile-postgres.ts';
import { controlServer, run } from './fragile-postgres.ts';

export type CitusCluster = {
  /** Of the distributed database, on the coordinator. */
  url: string;
  coordinator: CitusNode;
  workers: readonly CitusNode[];
  /** The URL of another database over the same nodes, which is empty. */
  createDatabase(name: string): Promise<string>;
  /** Stops all nodes and removes their data. */
  stop(): Promise<void>;
};

export type CitusNode = FragileServer & { port: number };

/** PostgreSQL with Citus is not installed; the message is one sentence about what to do. */
export class NoCitusError extends Error {
  override readonly name = 'NoCitusError';
}

const DATABASE = 'muster';
const DEBIAN = '/usr/lib/postgresql/15/bin';

const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  shared_buffers: '64MB',
  max_prepared_transactions: '200',
  max_connections: '300',
  // Over loopback; libpq looks for certificates in the home of the user who started this, which may be unreadable.
  'citus.node_conninfo': 'sslmode=disable',
};

/** Throws `NoCitusError`. CITUS_BIN is the folder of the programs of a PostgreSQL that has the extension. */
export async function startCitusCluster(workers = 2): Promise<CitusCluster> {
  const binaries = await findCitus(process.env.CITUS_BIN || DEBIAN);
  const dataDir = await makePassableFolder(join(tmpdir(), 'muster-citus-'));
  const nodes: Node[] = [];
  const stop = async () => {
    await Promise.all(nodes.map(({ thaw }) => thaw()));
    await Promise.all(nodes.map((node) => node.stop()));
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    for (let index = 0; index <= workers; index += 1) {
      nodes.push(await startNode(join(dataDir, `node-${index}`), binaries));
    }
    const [coordinator, ...others] = nodes as [Node, ...Node[]];
    await sharePassword(coordinator, others);
    const createDatabase = (name: string) => joinNodes(coordinator, others, name);
    const url = await createDatabase(DATABASE);
    await migrateDatabase({ url });
    await distribute({ url });
    return { url, coordinator, workers: others, createDatabase, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function findCitus(folder: string): Promise<Binaries> {
  const [postgres, library] = [join(folder, 'postgres'), join(dirname(folder), 'lib', 'citus.so')];
  await Promise.all([access(postgres), access(library)]).catch((cause: unknown) => {
    const sentence = `No PostgreSQL with Citus in ${folder}: install the extension there, or set CITUS_BIN to the folder of the programs of one that has it.`;
    throw new NoCitusError(sentence, { cause });
  });
  const { output } = await runProgram(postgres, ['--version']);
  return {
    postgres,
    initdb: join(folder, 'initdb'),
    pgCtl: join(folder, 'pg_ctl'),
    majorVersion: Number(/(\d+)\./.exec(output)?.[1]),
  };
}

type Node = CitusNode & { password: string };

async function startNode(dataDir: string, binaries: Binaries): Promise<Node> {
  const folder = locateDataFolder(dataDir);
  const user = await chooseServerUser(folder.cluster);
  await makeDataDir(folder.dataDir);
  await initialise(folder, binaries, user);
  const control: ServerControl = { folder, binaries, user, settings: SETTINGS };
  const port = await findFreePort();
  const { exitCode, output } = await startServer(control, port);
  if (exitCode !== 0) throw await explainStart(control, output);
  const password = (await readFile(folder.passwordFile, 'utf8')).trim();
  return { ...controlServer(control, port), port, password };
}

async function explainStart({ folder, binaries }: ServerControl, output: string): Promise<Error> {
  const log = await readFile(folder.logFile, 'utf8').catch(() => '');
  const why = /could not (?:load library|access file).*/.exec(log)?.[0];
  if (why === undefined) return new Error(`${output}\n${log}`);
  return new NoCitusError(
    `The PostgreSQL in ${dirname(binaries.postgres)} cannot load Citus: ${why}.`,
  );
}

/** All nodes get the password of the coordinator. */
async function sharePassword({ password }: Node, others: readonly Node[]): Promise<void> {
  for (const node of others) {
    const url = databaseUrl(node.port, node.password, 'postgres');
    await run(url, `ALTER ROLE ${SUPERUSER} PASSWORD '${password}'`);
  }
}

/** Resolves with the URL of a new database on the coordinator. */
async function joinNodes(
  coordinator: Node,
  others: readonly Node[],
  name: string,
): Promise<string> {
  const { password } = coordinator;
  for (const node of [coordinator, ...others]) {
    await run(databaseUrl(node.port, password, 'postgres'), `CREATE DATABASE ${name}`);
    await run(
      databaseUrl(node.port, password, name),
      'CREATE EXTENSION citus',
      // Of any node, for the role of this cluster.
      `INSERT INTO pg_dist_authinfo VALUES (0, '${SUPERUSER}', 'password=${password}')`,
    );
  }
  const url = databaseUrl(coordinator.port, password, name);
  await run(
    url,
    `SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
    ...others.map(({ port }) => `SELECT citus_add_node('127.0.0.1', ${port})`),
  );
  return url;
}

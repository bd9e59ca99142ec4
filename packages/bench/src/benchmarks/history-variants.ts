// The variants of the histories at one size, on databases of one server.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { HistorySize } from '../history/history-data.ts';
import {
  countItemVersions,
  createHistory,
  SANDBOX_ID,
  versionIdOf,
} from '../history/history-data.ts';
import type { Page, PageName } from '../history/history-pages.ts';
import {
  deepPositions,
  spellForMuster,
  spellForOffset,
  spellForPayload,
} from '../history/history-pages.ts';
import { fillPayload, IS_FILLED, payloadVersionIdOf } from '../history/payload-data.ts';
import { readCpuSeconds } from '../machine/cpu-time.ts';
import { countInWords } from '../results/count-in-words.ts';
import { installPeer } from '../variants/install-peer.ts';
import { musterProgram, PRINT_CURSORS, peerProgram } from '../variants/service-programs.ts';
import type { ServerProcess } from '../variants/start-server-process.ts';
import { startServerProcess } from '../variants/start-server-process.ts';
import type { BenchContext } from './bench-context.ts';

export type HistoryVariant = {
  name: string;
  server: ServerProcess;
  pages: Record<PageName, readonly Page[]>;
  readAnswer: (body: unknown) => HistoryAnswer;
  /** The id of the version at this place of the sandbox. */
  idOf: (seq: number) => string;
};

/** The total that an answer states, and the ids of the versions in it. */
export type HistoryAnswer = { total: number; ids: readonly string[] };

export type Scale = { size: HistorySize };

const labelOf = (name: string, { size }: Scale): string =>
  `${name}, ${countInWords(size.versions)}`;

const databaseOf = ({ size }: Scale): string => `bench_history_${size.versions}`;

type Ours = { page_meta: { total: number }; transactions: { version_id: string }[] };

const readOurs = (body: unknown): HistoryAnswer => {
  const { page_meta: meta, transactions } = body as Ours;
  return { total: meta.total, ids: transactions.map((each) => each.version_id) };
};

type Payloads = { totalDocs: number; docs: { id: string }[] };

const readPayloads = (body: unknown): HistoryAnswer => {
  const { totalDocs, docs } = body as Payloads;
  return { total: totalDocs, ids: docs.map(({ id }) => id) };
};

const OURS = { readAnswer: readOurs, idOf: versionIdOf };

/** How long the versions took to make, indexes and statistics included; nothing where they were there. */
const measureMaking = async (
  { postgres, results }: BenchContext,
  name: string,
  scale: Scale,
  make: () => Promise<boolean>,
): Promise<void> => {
  const where = { benchmark: 'history/data', variant: labelOf(name, scale) };
  const [cpuBefore, startedAt] = [await readCpuSeconds(postgres.pid), performance.now()];
  if (!(await make())) return;
  results.add(where, 'made in', 's', (performance.now() - startedAt) / 1_000);
  const cpuAfter = await readCpuSeconds(postgres.pid);
  const cpu = cpuBefore === null || cpuAfter === null ? null : cpuAfter - cpuBefore;
  results.add(where, 'database CPU', 's', cpu);
};

export const startMuster = async (context: BenchContext, scale: Scale): Promise<HistoryVariant> => {
  const { postgres, secret, scratch, say } = context;
  const database = databaseOf(scale);
  say(`Making ${countInWords(scale.size.versions)} versions …`);
  await measureMaking(context, 'muster', scale, () =>
    createHistory(postgres, database, scale.size),
  );
  const dataDir = join(scratch, `muster-${scale.size.versions}`);
  const program = musterProgram({ databaseUrl: postgres.urlOf(database), secret, dataDir });
  return {
    name: labelOf('muster', scale),
    server: await startServerProcess(program),
    pages: spellForMuster(scale.size, await printCursors(scale.size)),
    ...OURS,
  };
};

/** What a walk would have been given at the deep positions; walking there would take longer than all benchmarks. */
const printCursors = async (size: HistorySize): Promise<string[]> => {
  const numbers = [size.versions, countItemVersions(size), ...deepPositions(size)].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, [
    PRINT_CURSORS,
    SANDBOX_ID,
    ...numbers,
  ]);
  return stdout.trim().split('\n');
};

/** On the database of the service, with its indexes. */
export const startOffset = async (
  { postgres, secret }: BenchContext,
  scale: Scale,
): Promise<HistoryVariant> => {
  const databaseUrl = postgres.urlOf(databaseOf(scale));
  return {
    name: labelOf('offset', scale),
    server: await startServerProcess(peerProgram('offset', { databaseUrl, secret })),
    pages: spellForOffset(scale.size),
    ...OURS,
  };
};

/** Null, with a note in the report, where it cannot be installed. */
export const startPayload = async (
  context: BenchContext,
  scale: Scale,
): Promise<HistoryVariant | null> => {
  const { postgres, results, say } = context;
  const peer = await installPeer('payload', say);
  if ('missing' in peer) {
    results.note(peer.missing);
    return null;
  }
  results.report.versions.Payload = peer.version;
  const database = `bench_payload_${scale.size.versions}`;
  const isNew = await postgres.createUnlessComplete(database, IS_FILLED);
  const env = { DATABASE_URL: postgres.urlOf(database), PUSH: isNew ? '1' : '0' };
  const server = await startServerProcess({ file: peer.file, env, patienceMs: 120_000 });
  await measureMaking(context, 'payload', scale, async () => {
    if (!isNew) return false;
    say(`The same ${countInWords(scale.size.versions)} versions for Payload …`);
    await fillPayload(postgres, database, scale.size);
    return true;
  });
  return {
    name: labelOf('payload', scale),
    server,
    pages: spellForPayload(scale.size),
    ...{ readAnswer: readPayloads, idOf: payloadVersionIdOf },
  };
};

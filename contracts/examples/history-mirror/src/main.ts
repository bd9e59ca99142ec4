// Mirrors the Items and Xp tables of a sandbox into a folder; run it as often as you like.
// node src/main.ts <sandbox_id> <folder>; MUSTER_URL, MUSTER_TOKEN
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createMusterClient, MusterError } from '@muster/client';
import { HistoryStore } from './history-store.ts';
import { ForeignMirrorError, mirrorHistory } from './mirror-history.ts';

/** The largest page there is: a script has no screen to fill. */
const PAGE_SIZE = 1_000;

const [sandbox_id, folder] = process.argv.slice(2);
const { MUSTER_URL = 'http://127.0.0.1:3000', MUSTER_TOKEN } = process.env;

const mirrorSandbox = async (sandbox_id: string, folder: string): Promise<void> => {
  const muster = createMusterClient({ baseUrl: MUSTER_URL, token: MUSTER_TOKEN });
  const place = join(folder, sandbox_id);
  await mkdir(place, { recursive: true });
  for (const kind of ['item', 'xp'] as const) {
    const history = { sandbox_id, kind, page_size: PAGE_SIZE };
    const count = await mirrorHistory(muster, history, new HistoryStore(place, kind));
    process.stdout.write(`${kind}: ${count} new versions\n`);
  }
};

if (!sandbox_id || !folder) {
  process.stderr.write('Usage: MUSTER_TOKEN=… npm start -- <sandbox_id> <folder>\n');
  process.exitCode = 2;
} else {
  await mirrorSandbox(sandbox_id, folder).catch((error: unknown) => {
    if (!(error instanceof MusterError || error instanceof ForeignMirrorError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  });
}

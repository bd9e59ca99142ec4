// The pact of this client, written so that the same interactions always give the same bytes.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PactV4 } from '@pact-foundation/pact';

const NAMES = { consumer: 'muster-client', provider: 'muster' };
const COMMITTED = fileURLToPath(new URL('../../../../contracts/pacts/', import.meta.url));
/** `npm run pacts -- --check` compares without touching the committed file. */
const FOLDER = process.env.PACTS_FOLDER ?? COMMITTED;
const FILE = `${NAMES.consumer}-${NAMES.provider}.json`;

type Pact = {
  interactions: { description: string }[];
  metadata: { pactSpecification: unknown };
};

/** Collects interactions in an empty folder of its own, so that none of an earlier run is left. */
export const startPact = () => {
  const dir = mkdtempSync(join(tmpdir(), 'muster-pact-'));
  return {
    pact: new PactV4({ ...NAMES, dir, logLevel: 'error' }),
    /** Writes the committed file and answers how many interactions it has. */
    publish: (): number => {
      const { interactions, metadata, ...names }: Pact = JSON.parse(
        readFileSync(join(dir, FILE), 'utf8'),
      );
      const sorted = interactions.toSorted((a, b) => (a.description < b.description ? -1 : 1));
      // The rest of the metadata are versions of the libraries that wrote it.
      const { pactSpecification } = metadata;
      const stable = { ...names, interactions: sorted, metadata: { pactSpecification } };
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(join(FOLDER, FILE), `${JSON.stringify(stable, null, 2)}\n`);
      return sorted.length;
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
};

// Creates every service of the catalogue once.
import type { Item, Xp } from '@muster/contract';
import type { Database } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { createSemaphore } from '../flow/index.ts';
import { createAuthorStore } from './author-store.ts';
import { createCatalogueStore } from './catalogue-store.ts';
import { createCatalogueWriter } from './catalogue-writer.ts';
import { createChangeSetReview } from './change-set-review.ts';
import { createChangeSetRunner, createSetWriter } from './change-set-runner.ts';
import { createScheduleService } from './change-set-schedule.ts';
import { createScheduledSteps } from './change-set-scheduler.ts';
import { createChangeSetService, createRevertMaker } from './change-set-service.ts';
import { createChangeSetStore } from './change-set-store.ts';
import { createCompareService } from './compare-service.ts';
import { createCompareStore } from './compare-store.ts';
import { createEditService } from './edit-service.ts';
import { createEditStore } from './edit-store.ts';
import { createExportService } from './export-service.ts';
import { createReader } from './history-reader.ts';
import type { ReplicaOptions } from './history-replica-store.ts';
import { createReplicaStore } from './history-replica-store.ts';
import { createHistoryStore, createVersionStore } from './history-store.ts';
import { createImportLookups } from './import-lookup-store.ts';
import { createImportService } from './import-service.ts';
import { createImportSets } from './import-sets.ts';
import { createItemSchemaService } from './item-schema-service.ts';
import { createItemSchemaStore } from './item-schema-store.ts';
import { createPastCompareStore } from './past-compare-store.ts';
import { createPastRestore } from './past-restore.ts';
import { createPromotion } from './promotion.ts';
import { ITEM, XP } from './record.ts';
import type { ItemInputs, XpInputs } from './record-inputs.ts';
import type { InputsOf } from './record-service.ts';
import { createRecordService } from './record-service.ts';
import { createRecordStore } from './record-store.ts';
import { createSandboxPurgeStore } from './sandbox-purge-store.ts';
import { createSandboxService } from './sandbox-service.ts';
import { createSandboxStore } from './sandbox-store.ts';
import { createSearchService } from './search-service.ts';
import { createSearchStore } from './search-store.ts';
import { createVerificationService } from './verification-service.ts';
import { createVerificationStore } from './verification-store.ts';
import { createViewService } from './view-service.ts';
import { createViewStore } from './view-store.ts';

export type CatalogueOptions = {
  database: Pick<Database, 'pool' | 'prisma' | 'shards'>;
  /** Serves pages of histories that it already has; without it, all come from the database. */
  replica: ReplicaOptions | undefined;
  /** For how many days the content of a deleted sandbox is kept; absent: for ever. */
  deletedSandboxDays: number | undefined;
  now?: () => Date;
  /** The clock of schedules: by default that of the database, which all processes share. */
  readClock?: () => Promise<Date>;
};

/** Comparisons and verifications take seconds. Others wait, and leave the connections to short queries. */
const LONG_READS_AT_ONCE = 2;
/** Two batches at four concurrent calls. */
const LONG_READS_WAITING = 8;

export const createCatalogue = ({
  database,
  replica,
  deletedSandboxDays,
  now = () => new Date(),
  readClock = createClock(database),
}: CatalogueOptions) => {
  // The ids of records, versions and transactions are version 7, so that they sort by time.
  const sources = { now, newId: uuidv7 };
  const longReads = createSemaphore(LONG_READS_AT_ONCE, LONG_READS_WAITING);
  const store = createCatalogueStore(database);
  const writer = createCatalogueWriter(store, sources);
  const sets = createChangeSetStore(database);
  const writeSet = createSetWriter(writer, sources);
  const history = createHistoryStore(database);
  const versions = createVersionStore(database);
  const compareStore = createCompareStore(database);
  const parts = { store: createRecordStore(database), writer, newId: uuidv7 };
  return {
    items: createRecordService<Item, InputsOf<typeof ItemInputs>>(ITEM, parts),
    xp: createRecordService<Xp, InputsOf<typeof XpInputs>>(XP, parts),
    sandboxes: createSandboxService(
      createSandboxStore(database),
      createSandboxPurgeStore(database),
      sources,
      deletedSandboxDays,
    ),
    reader: createReader(replica ? createReplicaStore(history, replica) : history, versions),
    changeSets: {
      ...createChangeSetService(sets, sources),
      ...createChangeSetReview(sets, sources),
      ...createPastRestore(sets, sources),
      ...createPromotion({ sets, compare: compareStore, longReads, ...sources }),
      ...createScheduleService({ store: sets, now, readClock }),
      ...createChangeSetRunner({ store, sets, writer, writeSet, longReads }),
    },
    scheduledSteps: createScheduledSteps({
      database,
      writeSet,
      createRevert: createRevertMaker(sources),
      now,
      readClock,
    }),
    edits: createEditService(createEditStore(database)),
    compare: createCompareService(compareStore, createPastCompareStore(database), longReads),
    itemSchemas: createItemSchemaService({
      store: createItemSchemaStore(database),
      writer,
      longReads,
      sources,
    }),
    authors: createAuthorStore(database),
    search: createSearchService(createSearchStore(database)),
    views: createViewService(createViewStore(database), sources),
    verification: createVerificationService(createVerificationStore(database), longReads),
    exports: createExportService(versions),
    imports: createImportService(
      createImportLookups(database),
      createImportSets({ sets, writeSet, ...sources }),
    ),
  };
};

export type Catalogue = ReturnType<typeof createCatalogue>;

const createClock =
  ({ prisma }: Pick<Database, 'prisma'>) =>
  async (): Promise<Date> => {
    const [row] = await prisma.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`;
    return row?.now ?? new Date();
  };

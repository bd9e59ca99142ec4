// Creates every service of the catalogue once.
import type { Item, Xp } from '@muster/contract';
import type { Database } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { createSemaphore } from '../flow/index.ts';
import { createChangeSetReview } from './change-sets/change-set-review.ts';
import { createChangeSetRunner, createSetWriter } from './change-sets/change-set-runner.ts';
import { createScheduleService } from './change-sets/change-set-schedule.ts';
import { createScheduledSteps } from './change-sets/change-set-scheduler.ts';
import { createChangeSetService, createRevertMaker } from './change-sets/change-set-service.ts';
import { createChangeSetStore } from './change-sets/change-set-store.ts';
import { createPastRestore } from './change-sets/past-restore.ts';
import { createPromotion } from './change-sets/promotion.ts';
import { createCompareService } from './compare/compare-service.ts';
import { createCompareStore } from './compare/compare-store.ts';
import { createPastCompareStore } from './compare/past-compare-store.ts';
import { createCatalogueStore } from './edits/catalogue-store.ts';
import { createCatalogueWriter } from './edits/catalogue-writer.ts';
import { createEditService } from './edits/edit-service.ts';
import { createEditStore } from './edits/edit-store.ts';
import { createAuthorStore } from './history/author-store.ts';
import { createReader } from './history/history-reader.ts';
import type { ReplicaOptions } from './history/history-replica-store.ts';
import { createReplicaStore } from './history/history-replica-store.ts';
import { createHistoryStore, createVersionStore } from './history/history-store.ts';
import { createExportService } from './import-export/export-service.ts';
import { createImportLookups } from './import-export/import-lookup-store.ts';
import { createImportService } from './import-export/import-service.ts';
import { createImportSets } from './import-export/import-sets.ts';
import { createItemSchemaService } from './item-schemas/item-schema-service.ts';
import { createItemSchemaStore } from './item-schemas/item-schema-store.ts';
import { createSearchService } from './lists/search-service.ts';
import { createSearchStore } from './lists/search-store.ts';
import { createViewService } from './lists/view-service.ts';
import { createViewStore } from './lists/view-store.ts';
import { ITEM, XP } from './records/record.ts';
import type { ItemInputs, XpInputs } from './records/record-inputs.ts';
import type { InputsOf } from './records/record-service.ts';
import { createRecordService } from './records/record-service.ts';
import { createRecordStore } from './records/record-store.ts';
import { createSandboxPurgeStore } from './sandboxes/sandbox-purge-store.ts';
import { createSandboxService } from './sandboxes/sandbox-service.ts';
import { createSandboxStore } from './sandboxes/sandbox-store.ts';
import { createVerificationService } from './verification/verification-service.ts';
import { createVerificationStore } from './verification/verification-store.ts';

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

// What the catalogue needs to plan writes, without a database.
import type { WriteContext } from '../../src/catalogue/edits/edit-rules.ts';
import type { CatalogueSnapshot } from '../../src/catalogue/import-export/import-lookup-store.ts';
import { createImportService } from '../../src/catalogue/import-export/import-service.ts';
import { NO_SCHEMAS } from '../../src/catalogue/item-schemas/item-schema-rules.ts';
import { ITEM } from '../../src/catalogue/records/record.ts';

/** Writes of Items into an empty sandbox. */
export const EMPTY_SANDBOX: WriteContext = {
  kind: ITEM,
  accountId: 'a',
  stored: [],
  findVersion: () => undefined,
  schemas: NO_SCHEMAS,
  headSeq: 0,
  transactionId: 't',
  newId: () => 'id',
  issuedAt: new Date(0),
};

/** Plans imports into a sandbox whose records `listLive` reads. Applying an import writes nothing. */
export const createPlanner = (listLive: CatalogueSnapshot['listLive'] = async () => []) => {
  const snapshot: CatalogueSnapshot = {
    readHead: async () => 0,
    readColumns: async () => ({}),
    readSchemas: async () => NO_SCHEMAS,
    findTables: async () => [],
    findRecords: async () => [],
    findNames: async () => [],
    listLive,
  };
  return createImportService(
    { inSnapshot: (_, __, work) => work(snapshot) },
    { draft: async () => 's', apply: async () => ({ changeSetId: 's', headSeq: 0 }) },
  );
};

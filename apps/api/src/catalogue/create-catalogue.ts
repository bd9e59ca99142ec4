import type { Item, Xp } from '@muster/contract';
import { v7 as uuidv7 } from 'uuid';
import type { CatalogueDatabase } from './catalogue-store.ts';
import { createCatalogueStore } from './catalogue-store.ts';
import { createCatalogueWriter } from './catalogue-writer.ts';
import type { ItemInputs } from './item-inputs.ts';
import { createKeyedQueue } from './keyed-queue.ts';
import { ITEM, XP } from './record-kind.ts';
import type { InputsOf } from './record-service.ts';
import { createRecordService } from './record-service.ts';
import { createSandboxService } from './sandbox-service.ts';
import { createSandboxStore } from './sandbox-store.ts';
import { createPlannedWriter } from './write-planned.ts';
import type { XpInputs } from './xp-inputs.ts';

export type CatalogueOptions = {
  database: CatalogueDatabase;
  now?: () => Date;
  /** Makes the ids of records, versions and transactions; version 7, so that they sort by time. */
  newId?: () => string;
};

export const createCatalogue = ({
  database,
  now = () => new Date(),
  newId = uuidv7,
}: CatalogueOptions) => {
  const store = createCatalogueStore(database);
  const write = createCatalogueWriter(store, createKeyedQueue());
  const parts = { store, write, now, newId };
  return {
    items: createRecordService<Item, InputsOf<typeof ItemInputs>>(ITEM, parts),
    xp: createRecordService<Xp, InputsOf<typeof XpInputs>>(XP, parts),
    sandboxes: createSandboxService({ store: createSandboxStore(database), now, newId }),
    write,
    writePlanned: createPlannedWriter(write, { now, newId }),
  };
};

export type Catalogue = ReturnType<typeof createCatalogue>;

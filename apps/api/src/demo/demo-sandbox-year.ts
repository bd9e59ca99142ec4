// What happens in one sandbox: an import, then edits, sales, renames, deletes and second thoughts.
import { isDeepStrictEqual } from 'node:util';
import type { ItemFields } from './demo-items.ts';
import {
  discountItem,
  editItem,
  endSale,
  giveLegacyId,
  isOnSale,
  renameItem,
} from './demo-items.ts';
import type { DemoChange, DemoRecord, DemoVersion } from './demo-record.ts';
import { applyChange } from './demo-record.ts';
import type { XpFields } from './demo-xp-tables.ts';
import { editXpTable } from './demo-xp-tables.ts';
import type { SeededRandom } from './seeded-random.ts';

export type SandboxYear = {
  random: SeededRandom;
  items: readonly DemoRecord<ItemFields>[];
  xpTables: readonly DemoRecord<XpFields>[];
  /** Ids of the Xp tables that Items may be levelled by. */
  linkable: readonly string[];
  /** How many versions the year has. */
  length: number;
  momentOf: (fraction: number) => Date;
  newIdAt: (moment: Date) => string;
};

/** One transaction; the changes of one kind only, as the service writes them. */
type Step = { changes: DemoChange[]; reason?: string | undefined; accountId?: string };

const PEOPLE = ['mara.lindqvist', 'tomas.okafor', 'yuki.tanaka', 'priya.raman', 'jonas.weiss'];
const CI_ACCOUNT = 'ci-catalogue-import';
const SALES = ['Weekend offer', 'Anniversary sale', 'Guild sale', 'Clearance'];
/** Records that wait for their insert are all there when this part of the year is over. */
const LAST_INSERT = 0.8;

export const createSandboxYear = (year: SandboxYear): DemoVersion[] => {
  const versions: DemoVersion[] = [];
  const commit = (step: Step) => {
    versions.push(...writeStep(year, step, versions.length));
  };
  for (const step of openingSteps(year)) commit(step);
  while (versions.length < year.length) {
    const room = year.length - versions.length;
    commit(nextStep(year, versions.length / year.length, room));
  }
  return versions;
};

/** Less than a whole step of jitter, so that no version is older than the one before it. */
const writeStep = (year: SandboxYear, step: Step, position: number): DemoVersion[] => {
  const { random, newIdAt } = year;
  const issuedAt = year.momentOf((position + random.fraction() * 0.9) / year.length);
  const newId = () => newIdAt(issuedAt);
  const accountId = step.accountId ?? random.pick(PEOPLE);
  const edit = { transactionId: newId(), accountId, reason: step.reason, issuedAt, newId };
  return step.changes.map((change) => applyChange(change, edit)).filter((made) => made !== null);
};

const insert = (record: DemoRecord): DemoChange => ({
  record,
  operation: 'insert',
  fields: record.fields,
});

const openingSteps = ({ items, xpTables, linkable }: SandboxYear): Step[] => {
  const reason = 'Imported from the old catalogue';
  const firstItems = items.slice(0, Math.round(items.length * 0.4));
  const firstTables = xpTables.slice(0, linkable.length);
  return [
    { changes: firstTables.map(insert), reason, accountId: CI_ACCOUNT },
    { changes: firstItems.map(insert), reason, accountId: CI_ACCOUNT },
  ];
};

const nextStep = (year: SandboxYear, fraction: number, room: number): Step => {
  const { random } = year;
  const waiting = findWaiting(year, fraction);
  if (waiting) return { changes: [insert(waiting)] };
  const roll = random.fraction();
  if (roll < 0.03) return holdSale(year, room);
  if (roll < 0.08) return reviseXpTable(year);
  if (roll < 0.14) return rename(year);
  if (roll < 0.16) return removeRecord(year);
  if (roll < 0.19) return bringBack(year);
  if (roll < 0.22) return returnToOlder(year);
  if (roll < 0.24) return matchLegacyId(year);
  return reviseItem(year);
};

/** The next record that is due by now: inserts are spread evenly up to the last one. */
const findWaiting = ({ items, xpTables }: SandboxYear, fraction: number): DemoRecord | null => {
  const due = (records: readonly DemoRecord[]) => {
    const count = Math.ceil(records.length * (0.4 + (0.6 * fraction) / LAST_INSERT));
    return records.slice(0, count).find(({ past }) => past.length === 0);
  };
  return due(xpTables) ?? due(items) ?? null;
};

const isLive = ({ past, deleted }: DemoRecord): boolean => past.length > 0 && !deleted;

const pickLive = <Fields extends ItemFields | XpFields>(
  random: SeededRandom,
  records: readonly DemoRecord<Fields>[],
): DemoRecord<Fields> => random.pick(records.filter(isLive));

const update = (
  record: DemoRecord,
  { fields, reason }: { fields: DemoRecord['fields']; reason?: string },
): Step => ({
  changes: [{ record, operation: 'update', fields }],
  reason,
});

const reviseItem = ({ random, items, linkable }: SandboxYear): Step => {
  const record = pickLive(random, items);
  return update(record, editItem(random, record.fields, linkable));
};

const reviseXpTable = ({ random, xpTables }: SandboxYear): Step => {
  const record = pickLive(random, xpTables);
  return update(record, editXpTable(random, record.fields));
};

const rename = ({ random, items }: SandboxYear): Step => {
  const record = pickLive(random, items);
  return update(record, renameItem(random, record.fields));
};

const matchLegacyId = ({ random, items }: SandboxYear): Step => {
  const record = pickLive(random, items);
  return update(record, giveLegacyId(record.fields, record.index));
};

/** Sales begin and end for many Items in one transaction; the next one waits for the end of the last. */
const holdSale = ({ random, items }: SandboxYear, room: number): Step => {
  const live = items.filter(isLive);
  const onSale = live.filter(({ fields }) => isOnSale(fields));
  const percent = random.pick([10, 15, 20, 25]);
  const chosen = onSale.length > 0 ? onSale : random.shuffle(live).slice(0, random.integer(6, 28));
  const changes = chosen.slice(0, room).map(
    (record): DemoChange => ({
      record,
      operation: 'update',
      fields: onSale.length > 0 ? endSale(record.fields) : discountItem(record.fields, percent),
    }),
  );
  const reason = onSale.length > 0 ? 'The sale is over' : random.pick(SALES);
  return { changes, reason, accountId: CI_ACCOUNT };
};

const removeRecord = ({ random, items, xpTables, linkable }: SandboxYear): Step => {
  const candidates: DemoRecord[] = [...items, ...xpTables.slice(linkable.length)];
  const record = random.pick(candidates.filter(isLive));
  const { fields } = record;
  return { changes: [{ record, operation: 'delete', fields }], reason: 'No longer in the game' };
};

/** Most of what was deleted comes back; with nothing deleted, the step is empty. */
const bringBack = ({ random, items, xpTables }: SandboxYear): Step => {
  const deleted = [...items, ...xpTables].filter((record) => record.deleted);
  if (deleted.length === 0) return { changes: [] };
  const record: DemoRecord = random.pick(deleted);
  const { fields } = record;
  return { changes: [{ record, operation: 'restore', fields }], reason: 'Deleted by mistake' };
};

/** Returns to an older version; a legacy id stays with its record whatever the older version had. */
const returnToOlder = ({ random, items }: SandboxYear): Step => {
  const record = pickLive(random, items);
  const older = random.pick(record.past);
  const { legacy_item_id } = record.fields;
  const fields = { ...older, ...(legacy_item_id !== undefined && { legacy_item_id }) };
  if (isDeepStrictEqual(fields, record.fields)) return { changes: [] };
  return { changes: [{ record, operation: 'restore', fields }], reason: 'Back to what worked' };
};

// The demo's catalogue: three sandboxes of one game, and a year of edits to their Items and Xp tables, each by the
// rules. Staging has the records of Production, and the edits of a next season that can be promoted.
import { v7 as uuidv7 } from 'uuid';
import type { NewVersion, RecordOperation, RecordState } from '../../catalogue/index.ts';
import { ITEM, NO_SCHEMAS, planWrite, XP } from '../../catalogue/index.ts';
import type { Edit, ItemFields } from './demo-items.ts';
import {
  createItem,
  discountItem,
  editItem,
  endSale,
  giveLegacyId,
  isOnSale,
  raisePrice,
  renameItem,
} from './demo-items.ts';
import type { SeededRandom } from './demo-random.ts';
import { createSeededRandom, daysBefore, endOfYesterday, workingMoment } from './demo-random.ts';
import type { XpFields } from './demo-xp-tables.ts';
import { addLevel, createXpTable, editXpTable } from './demo-xp-tables.ts';

export type DemoSandbox = {
  sandboxId: string;
  name: string;
  createdAt: Date;
  protected: boolean;
  /** In the order of their positions. */
  versions: NewVersion[];
};

type Plan = {
  seed: number;
  /** Sandboxes with the same number have the same records, with the same ids, and the same edits. */
  records: number;
  name: string;
  /** The final number, including deleted ones. */
  items: number;
  xpTables: number;
  versions: number;
  days: number;
  protected?: true;
  /** Whether the edits of the next season follow: one new Item and `NEXT_SEASON` versions, beyond the numbers above. */
  hasNextSeason?: true;
};

/** The versions of the next season. */
const NEXT_SEASON = 10;
const RAISED_PRICES = 6;

const LIVE_GAME = { records: 2, items: 89, xpTables: 9, versions: 1195 };

/** 300 Items, 30 Xp tables and 5,000 versions in total. */
const PLANS: readonly Plan[] = [
  {
    seed: 11,
    records: 1,
    name: 'Development',
    items: 121,
    xpTables: 12,
    versions: 2600,
    days: 365,
  },
  { seed: 22, ...LIVE_GAME, name: 'Staging', days: 363, hasNextSeason: true },
  { seed: 33, ...LIVE_GAME, name: 'Production', days: 360, protected: true },
];

export const createDemoSandboxes = (now: Date): DemoSandbox[] =>
  PLANS.map((plan) => createDemoSandbox(plan, now));

const createDemoSandbox = (plan: Plan, now: Date): DemoSandbox => {
  const ids = createSeededRandom(plan.seed);
  const random = createSeededRandom(plan.records);
  const end = endOfYesterday(now);
  const createdAt = daysBefore(end, plan.days);
  const sandboxId = ids.uuid();
  const xpTables = Array.from({ length: plan.xpTables }, (_, index) => ({
    id: random.uuid(),
    index,
    kind: XP,
    past: [],
    fields: createXpTable(random, index),
  }));
  const linkable = xpTables.slice(0, LINKABLE).map(({ id }) => id);
  const addItem = (index: number): DemoRecord<ItemFields> => ({
    id: random.uuid(),
    index,
    kind: ITEM,
    past: [],
    fields: createItem(random, index, linkable),
  });
  const items = Array.from({ length: plan.items }, (_, index) => addItem(index));
  const year: SandboxYear = {
    random,
    items,
    xpTables,
    linkable,
    length: plan.versions,
    fullLength: plan.versions + NEXT_SEASON,
    momentOf: (fraction) => workingMoment(createdAt, end, fraction),
    newIdAt: (moment) => uuidv7({ msecs: moment.getTime(), random: ids.bytes(16) }),
  };
  const versions = liveThrough(year);
  if (plan.hasNextSeason) {
    for (const step of nextSeasonSteps(year, addItem(plan.items))) {
      versions.push(...planStep(year, step, versions.length));
    }
  }
  return { sandboxId, name: plan.name, createdAt, protected: plan.protected ?? false, versions };
};

/** Units only refer to the first tables, which exist from the first day and are never deleted. */
const LINKABLE = 6;

type DemoRecord<Fields = ItemFields | XpFields> = {
  kind: typeof ITEM | typeof XP;
  id: string;
  /** Index in the whole list. */
  index: number;
  /** The current fields; before it is created, its initial fields. */
  fields: Fields;
  /** Its versions, oldest first. */
  past: RecordState[];
};

type SandboxYear = {
  random: SeededRandom;
  items: readonly DemoRecord<ItemFields>[];
  xpTables: readonly DemoRecord<XpFields>[];
  /** Ids of the Xp tables that Items may refer to. */
  linkable: readonly string[];
  /** The number of versions before the next season. */
  length: number;
  /** The number of versions up to the end of the year. */
  fullLength: number;
  momentOf: (fraction: number) => Date;
  newIdAt: (moment: Date) => string;
};

type Change = { record: DemoRecord } & (
  | { type: 'create' | 'update'; fields: ItemFields | XpFields }
  | { type: 'delete' }
  | { type: 'restore'; versionId?: string }
);

/** One transaction with changes of one kind only, as the service writes them. */
type Step = { changes: Change[]; reason?: string | undefined; accountId?: string };

const PEOPLE = ['mara.lindqvist', 'tomas.okafor', 'yuki.tanaka', 'priya.raman', 'jonas.weiss'];
const CI_ACCOUNT = 'ci-catalogue-import';
const SALES = ['Weekend offer', 'Anniversary sale', 'Guild sale', 'Clearance'];
/** All records are created by the end of this part of the year. */
const LAST_CREATE = 0.8;

const liveThrough = (year: SandboxYear): NewVersion[] => {
  const versions: NewVersion[] = [];
  for (const step of openingSteps(year)) versions.push(...planStep(year, step, versions.length));
  while (versions.length < year.length) {
    const room = year.length - versions.length;
    const step = nextStep(year, versions.length / year.length, room);
    versions.push(...planStep(year, step, versions.length));
  }
  return versions;
};

/** The jitter is less than a step, so that no version is older than the previous one. */
const planStep = (year: SandboxYear, step: Step, headSeq: number): NewVersion[] => {
  const { random, newIdAt } = year;
  const issuedAt = year.momentOf((headSeq + random.fraction() * 0.9) / year.fullLength);
  const newId = () => newIdAt(issuedAt);
  const accountId = step.accountId ?? random.pick(PEOPLE);
  const records = step.changes.map(({ record }) => record);
  const byId = new Map(records.map((record) => [record.id, record]));
  const context = {
    accountId,
    headSeq,
    issuedAt,
    newId,
    transactionId: newId(),
    kind: records[0]?.kind ?? ITEM,
    schemas: NO_SCHEMAS,
    stored: records.flatMap(({ past }) => past.at(-1) ?? []),
    findVersion: (recordId: string, versionId: string) =>
      byId.get(recordId)?.past.find((state) => state.versionId === versionId)?.snapshot,
  };
  const operations = step.changes.map((change) => toOperation(change, step.reason));
  const { versions } = planWrite(context, operations, false);
  for (const { state } of versions) {
    const record = byId.get(state.recordId);
    if (!record) continue;
    record.fields = JSON.parse(state.snapshot);
    record.past.push(state);
  }
  return versions;
};

const toOperation = (change: Change, reason: string | undefined): RecordOperation => {
  const { record, type } = change;
  const step = { recordId: record.id, reason, expectedVersion: record.past.length };
  switch (type) {
    case 'create':
    case 'update':
      return { ...step, type, fields: change.fields };
    case 'delete':
      return { ...step, type };
    case 'restore':
      return { ...step, type, versionId: change.versionId };
  }
};

const create = (record: DemoRecord): Change => ({ record, type: 'create', fields: record.fields });

const openingSteps = ({ items, xpTables, linkable }: SandboxYear): Step[] => {
  const reason = 'Imported from the old catalogue';
  const firstItems = items.slice(0, Math.round(items.length * 0.4));
  const firstTables = xpTables.slice(0, linkable.length);
  return [
    { changes: firstTables.map(create), reason, accountId: CI_ACCOUNT },
    { changes: firstItems.map(create), reason, accountId: CI_ACCOUNT },
  ];
};

/** What Staging has and Production lacks. */
const nextSeasonSteps = (
  { random, items, xpTables }: SandboxYear,
  added: DemoRecord<ItemFields>,
): Step[] => {
  const reason = 'Next season';
  const chosen = random.shuffle(items.filter(isLive));
  const raised = chosen.slice(0, RAISED_PRICES).map(
    (record): Change => ({
      record,
      type: 'update',
      fields: raisePrice(record.fields, 10),
    }),
  );
  const [reworded, removed] = chosen.slice(RAISED_PRICES);
  const table = xpTables.find(isLive);
  if (!reworded || !removed || !table) throw new Error('The demo has too few records.');
  const description = 'Returns in the next season.';
  return [
    { changes: [create(added)], reason },
    { changes: raised, reason, accountId: CI_ACCOUNT },
    update(table, { fields: addLevel(random, table.fields), reason }),
    update(reworded, { fields: { ...reworded.fields, description }, reason }),
    { changes: [{ record: removed, type: 'delete' }], reason },
  ];
};

const nextStep = (year: SandboxYear, fraction: number, room: number): Step => {
  const { random } = year;
  const due = findDue(year, fraction);
  if (due) return { changes: [create(due)] };
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

/** The next record that is due: records are created at an even pace up to the last one. */
const findDue = ({ items, xpTables }: SandboxYear, fraction: number): DemoRecord | null => {
  const due = (records: readonly DemoRecord[]) => {
    const count = Math.ceil(records.length * (0.4 + (0.6 * fraction) / LAST_CREATE));
    return records.slice(0, count).find(({ past }) => past.length === 0);
  };
  return due(xpTables) ?? due(items) ?? null;
};

const isDeleted = ({ past }: DemoRecord): boolean => past.at(-1)?.deleted === true;
const isLive = (record: DemoRecord): boolean => record.past.length > 0 && !isDeleted(record);

const pickLive = <Fields extends ItemFields | XpFields>(
  random: SeededRandom,
  records: readonly DemoRecord<Fields>[],
): DemoRecord<Fields> => random.pick(records.filter(isLive));

const update = (record: DemoRecord, { fields, reason }: Edit<ItemFields | XpFields>): Step => ({
  changes: [{ record, type: 'update', fields }],
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

/** A sale starts and ends for many Items in one transaction; the next one waits for the end of the previous. */
const holdSale = ({ random, items }: SandboxYear, room: number): Step => {
  const live = items.filter(isLive);
  const onSale = live.filter(({ fields }) => isOnSale(fields));
  const isEnding = onSale.length > 0;
  const percent = random.pick([10, 15, 20, 25]);
  const chosen = isEnding ? onSale : random.shuffle(live).slice(0, random.integer(6, 28));
  const changes = chosen.slice(0, room).map(
    (record): Change => ({
      record,
      type: 'update',
      fields: isEnding ? endSale(record.fields) : discountItem(record.fields, percent),
    }),
  );
  const reason = isEnding ? 'The sale is over' : random.pick(SALES);
  return { changes, reason, accountId: CI_ACCOUNT };
};

const removeRecord = ({ random, items, xpTables, linkable }: SandboxYear): Step => {
  const candidates: DemoRecord[] = [...items, ...xpTables.slice(linkable.length)];
  const record = random.pick(candidates.filter(isLive));
  return { changes: [{ record, type: 'delete' }], reason: 'No longer in the game' };
};

/** Restores most deleted records; with nothing deleted, the step is empty. */
const bringBack = ({ random, items, xpTables }: SandboxYear): Step => {
  const deleted = [...items, ...xpTables].filter(isDeleted);
  if (deleted.length === 0) return { changes: [] };
  const record: DemoRecord = random.pick(deleted);
  return { changes: [{ record, type: 'restore' }], reason: 'Deleted by mistake' };
};

const returnToOlder = ({ random, items }: SandboxYear): Step => {
  const record = pickLive(random, items);
  const { versionId } = random.pick(record.past);
  return { changes: [{ record, type: 'restore', versionId }], reason: 'Back to what worked' };
};

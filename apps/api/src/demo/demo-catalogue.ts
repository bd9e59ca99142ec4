// The demo's catalogue: three sandboxes of one game, and what people did to their Items and Xp tables in a year.
import { v7 as uuidv7 } from 'uuid';
import { ITEM, XP } from '../catalogue/index.ts';
import { createItem } from './demo-items.ts';
import type { DemoVersion } from './demo-record.ts';
import { createSandboxYear } from './demo-sandbox-year.ts';
import { daysBefore, endOfYesterday, workingMoment } from './demo-timeline.ts';
import { createXpTable } from './demo-xp-tables.ts';
import { createSeededRandom } from './seeded-random.ts';

export type DemoSandbox = {
  sandboxId: string;
  name: string;
  createdAt: Date;
  protected: boolean;
  /** In the order of their positions. */
  versions: DemoVersion[];
};

type Plan = {
  seed: number;
  name: string;
  /** How many there are in the end, deleted ones too. */
  items: number;
  xpTables: number;
  versions: number;
  days: number;
  protected?: true;
};

/** 300 Items, 30 Xp tables and 5,000 versions in total. */
const PLANS: readonly Plan[] = [
  { seed: 11, name: 'Development', items: 120, xpTables: 12, versions: 2600, days: 365 },
  { seed: 22, name: 'Staging', items: 100, xpTables: 10, versions: 1500, days: 363 },
  {
    seed: 33,
    name: 'Production',
    items: 80,
    xpTables: 8,
    versions: 900,
    days: 360,
    protected: true,
  },
];

/** One after the other, so that each can be on its way to the database while the next is made up. */
export function* createDemoSandboxes(now: Date): Generator<DemoSandbox> {
  for (const plan of PLANS) yield createDemoSandbox(plan, now);
}

const createDemoSandbox = (plan: Plan, now: Date): DemoSandbox => {
  const random = createSeededRandom(plan.seed);
  const end = endOfYesterday(now);
  const start = daysBefore(end, plan.days);
  const sandboxId = random.uuid();
  const xpTables = Array.from({ length: plan.xpTables }, (_, index) => ({
    ...newRecord(random.uuid(), index),
    kind: XP,
    fields: createXpTable(random, index),
  }));
  const linkable = xpTables.slice(0, LINKABLE).map(({ id }) => id);
  const items = Array.from({ length: plan.items }, (_, index) => ({
    ...newRecord(random.uuid(), index),
    kind: ITEM,
    fields: createItem(random, index, linkable),
  }));
  const versions = createSandboxYear({
    random,
    items,
    xpTables,
    linkable,
    length: plan.versions,
    momentOf: (fraction) => workingMoment(start, end, fraction),
    newIdAt: (moment) => uuidv7({ msecs: moment.getTime(), random: random.bytes(16) }),
  });
  return {
    ...{ sandboxId, name: plan.name, createdAt: start, versions },
    protected: plan.protected ?? false,
  };
};

/** Units are levelled by the first tables only: those are there from the first day and are never deleted. */
const LINKABLE = 6;

const newRecord = (id: string, index: number) => ({
  id,
  index,
  deleted: false,
  snapshot: '',
  past: [],
});

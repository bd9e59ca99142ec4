import type { FieldChange } from '@muster/record-diff';
import { diffRecords } from '@muster/record-diff';
import { ServiceError } from '../errors/service-error.ts';
import type { VersionAnswer, WholeVersionAnswer } from './version-answer.ts';
import { toVersionAnswer, toWholeVersionAnswer } from './version-answer.ts';
import type { VersionFilter } from './version-filter.ts';
import type { SortOrder, VersionScope, VersionWalk } from './version-statements.ts';
import type { VersionStore, WholeVersion } from './version-store.ts';

export type VersionListRequest = {
  sandboxId: string;
  filter: VersionFilter;
  order: SortOrder;
  /** Null to begin: the walk then covers what there is now, however much is written meanwhile. */
  walk: VersionWalk | null;
  pageSize: number;
};

export type VersionService = {
  /** `next` is null on the last page. Errors: sandbox_not_found. */
  list(
    request: VersionListRequest,
  ): Promise<{ versions: VersionAnswer[]; next: VersionWalk | null; total: number | undefined }>;
  /** Errors: version_not_found. */
  get(sandboxId: string, versionId: string): Promise<WholeVersionAnswer>;
  /** From the version before when none is named. Errors: version_not_found, input_invalid (different kinds). */
  diff(
    sandboxId: string,
    fromVersionId: string | undefined,
    toVersionId: string,
  ): Promise<{ from?: VersionAnswer; to: VersionAnswer; changes: FieldChange[] }>;
};

export const createVersionService = (store: VersionStore): VersionService => ({
  async list({ sandboxId, filter, order, walk, pageSize }) {
    const start = walk ?? (await startWalk(store, sandboxId, filter, order));
    const { low, high, position } = start;
    const recordIds = await store.findNamedRecords({ sandboxId, filter }, high);
    const scope = { sandboxId, filter, recordIds };
    const total = start.total ?? (walk ? undefined : await countMatches(store, scope, low, high));
    const range = order === 'asc' ? { low: position + 1, high } : { low, high: position - 1 };
    const found = await store.readPage(scope, { ...range, order, limit: pageSize + 1 });
    const page = found.slice(0, pageSize);
    const last = found.length > pageSize ? page.at(-1) : undefined;
    return {
      versions: page.map(toVersionAnswer),
      next: last ? { position: last.seq, low, high, total } : null,
      total,
    };
  },

  get: async (sandboxId, versionId) =>
    toWholeVersionAnswer(required((await store.findVersions(sandboxId, [versionId]))[0])),

  async diff(sandboxId, fromVersionId, toVersionId) {
    const ids = fromVersionId === undefined ? [toVersionId] : [toVersionId, fromVersionId];
    const [to, named] = await store.findVersions(sandboxId, ids);
    const after = required(to);
    const before =
      fromVersionId === undefined ? await findPrevious(store, sandboxId, after) : required(named);
    if (before && before.kind !== after.kind) {
      throw new ServiceError('input_invalid', {
        desc: 'An Item and an Xp table have no field-by-field difference.',
      });
    }
    return {
      ...(before && { from: toVersionAnswer(before) }),
      to: toVersionAnswer(after),
      changes: diffRecords(before ? JSON.parse(before.snapshot) : null, JSON.parse(after.snapshot)),
    };
  },
});

/** Stands just outside the walk, on the side where it begins. */
const startWalk = async (
  store: VersionStore,
  sandboxId: string,
  filter: VersionFilter,
  order: SortOrder,
): Promise<VersionWalk> => {
  const start = await store.startWalk(sandboxId, filter);
  if (!start) throw new ServiceError('sandbox_not_found');
  const { low, high } = start;
  const position = order === 'asc' ? low - 1 : high + 1;
  return { position, low, high, total: countByCounters(filter, start) };
};

/** The totals that counters know: of a sandbox, of a kind, of a range of time. */
const countByCounters = (
  { kind, from, to, name, ...others }: VersionFilter,
  { low, high, item, xp }: { low: number; high: number; item: number; xp: number },
): number | undefined => {
  if (name || Object.values(others).some((value) => value !== undefined)) return undefined;
  if (kind === undefined) return Math.max(0, high - low + 1);
  if (from !== undefined || to !== undefined) return undefined;
  return { item, xp }[kind];
};

/** A name that too many records have is not counted: that would go through all versions. */
const countMatches = (store: VersionStore, scope: VersionScope, low: number, high: number) =>
  scope.filter.name && !scope.recordIds ? undefined : store.countVersions(scope, low, high);

const findPrevious = async (store: VersionStore, sandboxId: string, version: WholeVersion) =>
  version.previous_version_id === null
    ? undefined
    : (await store.findVersions(sandboxId, [version.previous_version_id]))[0];

const required = (version: WholeVersion | undefined): WholeVersion => {
  if (!version) throw new ServiceError('version_not_found');
  return version;
};

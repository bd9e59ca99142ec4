// What must hold of one stored version: its place, its hash, and the record that shows it. Pure.
import { foldName, ITEM, listChangedFields, XP } from '../catalogue/index.ts';
import type { Broken, StoredRecord, StoredVersion } from './stored-version.ts';

/** Null when all is as it was written. `previousSeq` is 0 before the first version. */
export const checkVersion = (version: StoredVersion, previousSeq: number): Broken | null =>
  checkPosition(version, previousSeq) ?? checkContent(version) ?? checkRecord(version);

const checkPosition = ({ seq }: StoredVersion, previousSeq: number): Broken | null =>
  seq === previousSeq + 1
    ? null
    : {
        seq: previousSeq + 1,
        what: 'position',
        expected: String(previousSeq + 1),
        found: String(seq),
      };

const at = ({ seq, versionId }: StoredVersion) => ({ seq, version_id: versionId });

const checkContent = (version: StoredVersion): Broken | null => {
  const { hash, expectedHash, snapshot, versionName } = version;
  if (!expectedHash.equals(hash)) {
    const [expected, found] = [expectedHash.toString('hex'), hash.toString('hex')];
    return { ...at(version), what: 'hash', expected, found };
  }
  const { name } = JSON.parse(snapshot);
  if (name === versionName) return checkChangedFields(version);
  return { ...at(version), what: 'version_name', expected: name, found: versionName };
};

/** What lists say that a version changed is not hashed. Their order says nothing. */
const checkChangedFields = (version: StoredVersion): Broken | null => {
  const { kind, previousSnapshot, snapshot, changedFields } = version;
  const changed = listChangedFields(kindOf(kind), previousSnapshot ?? undefined, snapshot);
  const [expected, found] = [changed, changedFields].map((names) => names.toSorted().join(', '));
  if (expected === found) return null;
  return { ...at(version), what: 'changed_fields', expected: expected ?? '', found: found ?? '' };
};

const kindOf = (kind: StoredVersion['kind']) => (kind === 'item' ? ITEM : XP);

/** The record repeats its newest version; what it repeats is not hashed by itself. */
const checkRecord = (version: StoredVersion): Broken | null => {
  if (!version.isNewest) return null;
  const expected = recordOf(version);
  for (const field of Object.keys(expected) as (keyof StoredRecord)[]) {
    const [wanted, found] = [expected[field], version.record[field]];
    if (wanted === found) continue;
    const what = `record.${FIELD_NAMES[field]}`;
    // Two whole snapshots are no help in a list; the version and its record can be looked at.
    if (field === 'snapshot') return { ...at(version), what };
    return { ...at(version), what, expected: String(wanted), found: String(found) };
  }
  return null;
};

const FIELD_NAMES: Record<keyof StoredRecord, string> = {
  headSeq: 'head_seq',
  version: 'version',
  name: 'name',
  foldedName: 'folded_name',
  deleted: 'deleted',
  legacyId: 'legacy_id',
  snapshot: 'snapshot',
};

const recordOf = ({ kind, seq, version, operation, snapshot }: StoredVersion): StoredRecord => {
  const fields = JSON.parse(snapshot);
  const { legacyIdField } = kindOf(kind);
  return {
    headSeq: seq,
    version,
    name: fields.name,
    foldedName: foldName(fields.name),
    deleted: operation === 'delete',
    legacyId: fields[legacyIdField] ?? null,
    snapshot,
  };
};

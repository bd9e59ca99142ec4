import { nameField } from '@muster/record-diff';

const LABELS: Record<string, string> = {
  position: 'A version is missing, or there is one too many.',
  hash: 'The stored version is not the one that was written.',
  version_name: 'The name beside the version is not the name in it.',
  changed_fields: 'The fields that the version says it changed are not those that it changed.',
  record: 'A record has no version.',
  'record.head_seq': 'The record says that its newest version is at another position.',
  'record.version': 'The record counts another number of versions.',
  'record.folded_name': 'The name that the record is found by is not that of its newest version.',
  'record.deleted': 'Whether the record is deleted is not what its newest version says.',
  'record.snapshot': 'The record as a whole is not its newest version.',
  head_seq: 'The sandbox says that its history has another length.',
  head_hash: 'The sandbox says that its history ends with another hash.',
  item_versions: 'The counted versions of Items are not those that are there.',
  xp_versions: 'The counted versions of Xp tables are not those that are there.',
};

/** Describes a finding: `record.name` is a field of a record that differs from its newest version. */
export const describeBroken = (what: string): string =>
  LABELS[what] ??
  (what.startsWith('record.')
    ? `The record's ${nameField(what.slice('record.'.length)).toLowerCase()} is not that of its newest version.`
    : what);

/** Formats an expected or actual value. Lists of fields become their labels. */
export const describeFound = (what: string, value: string): string =>
  what === 'changed_fields' ? value.split(', ').map(nameField).join(', ') || 'none' : value;

const WORDS: Record<string, string> = {
  position: 'A version is missing, or one too many is there.',
  hash: 'The stored version is not the one that was written.',
  version_name: 'The name beside the version is not the name in it.',
  record: 'A record has no version.',
  head_seq: 'The sandbox says that its history has another length.',
  head_hash: 'The sandbox says that its history ends with another hash.',
  item_versions: 'The counted versions of Items are not those that are there.',
  xp_versions: 'The counted versions of Xp tables are not those that are there.',
};

/** What the service found, in words: `record.name` is a field of a record that its newest version contradicts. */
export const describeBroken = (what: string): string =>
  WORDS[what] ??
  (what.startsWith('record.')
    ? `The record's ${what.slice('record.'.length)} is not that of its newest version.`
    : what);

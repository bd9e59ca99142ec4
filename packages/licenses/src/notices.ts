// The format of THIRD-PARTY-LICENSES.txt: an introduction, then one entry for each version of each package.

export type Component = {
  name: string;
  version: string;
  /** SPDX expression. */
  license: string;
  /** What the package says about its licence: the texts of its files. */
  text: string;
};

const RULE = '-'.repeat(80);

/** `of` names the artefact. */
export const writeNotices = (of: string, components: readonly Component[]): string => {
  const introduction =
    components.length === 0
      ? `${of} contains no third-party software. Its own licence is in the file LICENSE.\n`
      : `${of} contains the third-party software below, with the licences under which it may be used.\nThe licence of ${of} itself is in the file LICENSE.\n`;
  return [introduction, ...components.map(writeEntry)].join('\n');
};

const writeEntry = ({ name, version, license, text }: Component): string =>
  `${RULE}\n${name} ${version}\nLicence: ${license}\n\n${text}\n`;

/** One component for each version of each package, in an order that no locale changes. */
export const sortUnique = (components: readonly Component[]): Component[] => {
  const unique = new Map(components.map((one) => [`${one.name} ${one.version}`, one]));
  return [...unique].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, component]) => component);
};

const ENTRY_START = /^-{80}\n(?=\S+ \S+\nLicence: )/m;
const ENTRY = /^(\S+) (\S+)\nLicence: (.+)\n\n([\s\S]*?)\n*$/;

/** The components of a file that `writeNotices` has written, or of one entry alone. Throws on an entry in another form. */
export const parseNotices = (notices: string): Component[] =>
  notices.split(ENTRY_START).slice(1).map(parseEntry);

const parseEntry = (entry: string): Component => {
  const [, name, version, license, text] = ENTRY.exec(entry) ?? [];
  if (!name || !version || !license || !text) {
    throw new Error(`This is no entry of third-party software: ${entry.slice(0, 200)}`);
  }
  return { name, version, license, text };
};

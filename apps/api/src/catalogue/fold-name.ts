/**
 * Folds case for "contains" searches; names and filters go through this one function, never through the database's
 * `lower()`, which depends on its locale. Going through upper case joins what shares it ('ß' and 'ss', 'ı' and 'i'),
 * and starting in lower case joins 'ẞ' to them. The final sigma becomes the plain one: which of the two `toLowerCase`
 * gives depends on the letters around it, and a filter is only a part of a name. Composed (NFC) at both ends.
 * Source: Unicode, sections 3.13 and 5.18.
 */
export const foldName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
    .normalize('NFC');

/** The pattern of SQL's LIKE for "contains this folded text"; `%`, `_` and `\` stand for themselves. */
export const toContainsPattern = (folded: string): string =>
  `%${folded.replace(/[\\%_]/g, '\\$&')}%`;

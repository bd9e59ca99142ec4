// Which licences the software in our artefacts may have: those that only ask for their text and their notices to be passed on.

/** SPDX identifiers. A copyleft licence, such as MPL-2.0 or any GPL, is missing on purpose: docs/decisions/0026-releases.md. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  // Fonts.
  'OFL-1.1',
  'PostgreSQL',
  'Python-2.0',
  'Unlicense',
  'Zlib',
]);

/**
 * Whether an SPDX expression allows the software to be part of an artefact: one of several alternatives is enough. Exceptions
 * (`WITH`) and parentheses within an expression are not understood, and so not allowed.
 */
export const isAllowedLicense = (expression: string): boolean =>
  expression
    .replace(/^\((.*)\)$/, '$1')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((license) => ALLOWED.has(license)));

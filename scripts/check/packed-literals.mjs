// Object and array literals are written with one property or element after the other. A spread of a literal, such as `...{ a, b }`, only
// saves lines, and a formatter cannot format it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSource, listRepositoryFiles } from '../import-rules/source-files.mjs';
import { ROOT } from '../setup/repository.mjs';

const PACKED = /^(?!\s*(?:\/\/|\*)).*\.\.\.\{(?!\})/;

export function checkPackedLiterals() {
  return listRepositoryFiles(ROOT)
    .filter(isSource)
    .flatMap((file) =>
      findPackedLines(readFileSync(join(ROOT, file), 'utf8')).map(
        (line) => `${file}:${line} spreads an object literal: write its properties one by one.`,
      ),
    );
}

/** The numbers of the lines that spread an object literal. @param {string} text @returns {number[]} */
export function findPackedLines(text) {
  return text.split('\n').flatMap((line, index) => (PACKED.test(line) ? [index + 1] : []));
}

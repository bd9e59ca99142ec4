// Holds hand-written source files to a length that one can read in one go.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSource, listRepositoryFiles } from '../import-rules/source-files.mjs';
import { ROOT } from '../setup/repository.mjs';

const MOST_LINES = 300;

/** @param {string} file */
function isHandWritten(file) {
  return isSource(file) || /\.(?:css|sh)$|^\.ci\//.test(file);
}

export function checkFileSizes() {
  return listRepositoryFiles(ROOT)
    .filter((file) => isHandWritten(file))
    .map((file) => ({ file, lines: countLines(readFileSync(join(ROOT, file), 'utf8')) }))
    .filter(({ lines }) => lines > MOST_LINES)
    .map(({ file, lines }) => `${file} has ${lines} lines; the limit is ${MOST_LINES}.`);
}

/** @param {string} text */
function countLines(text) {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERROR_CODES } from '@muster/contract';
import { expect, test } from 'vitest';

const SOURCES = join(import.meta.dirname, '..');

/** What the service runs, in one text. */
const readSources = (): string =>
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(SOURCES, file), 'utf8'))
    .join('\n');

test('every error code that is documented is one that the service answers with', () => {
  const text = readSources();
  expect(ERROR_CODES.filter((code) => !text.includes(`'${code}'`))).toEqual([]);
});

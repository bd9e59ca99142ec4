import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { findBrowser } from './find-browser.ts';

const folder = mkdtempSync(join(tmpdir(), 'find-browser-'));
afterAll(() => rmSync(folder, { recursive: true }));

const program = (name: string): string => {
  const path = join(folder, name);
  writeFileSync(path, '', { mode: 0o755 });
  return path;
};

test('CHROME_PATH comes before what is installed', () => {
  const chosen = program('my-browser');
  program('google-chrome');
  expect(findBrowser({ CHROME_PATH: chosen, PATH: folder })).toBe(chosen);
});

test('finds an installed browser anywhere on the PATH', () => {
  const installed = program('google-chrome');
  expect(findBrowser({ PATH: ['/nowhere', folder].join(delimiter) })).toBe(installed);
});

test('an empty CHROME_PATH counts as unset', () => {
  const installed = program('google-chrome');
  expect(findBrowser({ CHROME_PATH: '', PATH: folder })).toBe(installed);
});

test('a CHROME_PATH that names nothing is an error, not a reason to look elsewhere', () => {
  program('google-chrome');
  expect(() => findBrowser({ CHROME_PATH: '/nowhere/chrome', PATH: folder })).toThrow(
    'CHROME_PATH names /nowhere/chrome',
  );
});

test('says in one sentence what to install', () => {
  expect(() => findBrowser({ PATH: '/nowhere' }, [])).toThrow(
    /^No browser found: install Chromium/,
  );
});

// The documentation is built as readers get it, from its own lockfile.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SITE = join(ROOT, 'docs/.vitepress/dist');
/** Pages that the navigation leads to. */
const linked = (): string[] =>
  [
    ...readFileSync(join(ROOT, 'docs/.vitepress/config.ts'), 'utf8').matchAll(/link: '([^']+)'/g),
  ].map(([, link = '']) => link);
const built = (ending: string): string[] =>
  readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));

beforeAll(() => {
  // Fails on a link that leads nowhere.
  execFileSync(process.execPath, ['scripts/run.mjs', 'site'], { cwd: ROOT, stdio: 'pipe' });
});

test('every page of the navigation is built', () => {
  expect(linked().length).toBeGreaterThan(25);
  expect(linked().filter((link) => !existsSync(join(SITE, `${link}.html`)))).toEqual([]);
});

test('pages load nothing from other hosts', () => {
  const loads = built('.html').flatMap((file) =>
    [
      ...readFileSync(join(SITE, file), 'utf8').matchAll(
        /<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]+)"/g,
      ),
    ].map(([, url]) => `${file}: ${url}`),
  );
  expect(loads).toEqual([]);
});

test('the search index comes with the site and holds the words of its pages', () => {
  const [index = ''] = built('.js').filter((file) => file.includes('localSearchIndex'));
  expect(readFileSync(join(SITE, index), 'utf8')).toContain('crossplay');
});

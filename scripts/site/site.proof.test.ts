// The documentation is built as readers get it, from its own lockfile.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseNotices } from '@muster/licenses';
import { beforeAll, expect, test } from 'vitest';
import { listRepositoryFiles } from '../import-rules/source-files.mjs';

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
  const isBuilt = (link: string) =>
    existsSync(join(SITE, link.endsWith('.txt') ? link : `${link}.html`));
  expect(linked().filter((link) => !isBuilt(link))).toEqual([]);
});

test('it contains the licences of its libraries and of its font', () => {
  const licenses = parseNotices(readFileSync(join(SITE, 'THIRD-PARTY-LICENSES.txt'), 'utf8'));
  expect(licenses.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['inter', 'minisearch', 'vitepress', 'vue']),
  );
  expect(readFileSync(join(SITE, 'LICENSE'))).toEqual(readFileSync(join(ROOT, 'LICENSE')));
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

test('the site includes a search index with the words of its pages', () => {
  const [index = ''] = built('.js').filter((file) => file.includes('localSearchIndex'));
  expect(readFileSync(join(SITE, index), 'utf8')).toContain('crossplay');
});

/** What a page of the site is called in links: without its ending, and without `index`. */
const addressOf = (file: string): string =>
  `/${file.replace(/\.html$/, '').replace(/(?:^|(?<=\/))index$/, '')}`;

test('links to a heading lead to one that is there', () => {
  const pages = built('.html').map((file) => {
    const html = readFileSync(join(SITE, file), 'utf8');
    const ids = new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id));
    return { address: addressOf(file), html, ids };
  });
  const idsOf = new Map(pages.map(({ address, ids }) => [address, ids]));
  const links = pages.flatMap(({ address, html }) =>
    [...html.matchAll(/<a[^>]+href="((?:\/[^"#]*)?)#([^"]+)"/g)].map(([, path = '', id = '']) => ({
      from: address,
      to: path.replace(/\.html$/, '') || address,
      id: decodeURIComponent(id),
    })),
  );
  expect(links.length).toBeGreaterThan(100);
  expect(links.filter(({ to, id }) => !idsOf.get(to)?.has(id))).toEqual([]);
});

test('links to a file lead to one that the site has', () => {
  const links = built('.html').flatMap((file) =>
    [...readFileSync(join(SITE, file), 'utf8').matchAll(/<a[^>]+href="([^":#]+)[#"]/g)].map(
      ([, href = '']) => new URL(href, `http://site${addressOf(file)}`).pathname,
    ),
  );
  expect(links.length).toBeGreaterThan(100);
  const isThere = (path: string) =>
    [path, `${path}.html`, join(path, 'index.html')].some((file) => {
      return existsSync(join(SITE, file)) && statSync(join(SITE, file)).isFile();
    });
  expect([...new Set(links)].filter((path) => !isThere(decodeURIComponent(path)))).toEqual([]);
});

test('links of documents to files of the repository lead to files that are there', () => {
  const documents = listRepositoryFiles(ROOT).filter((file) => file.endsWith('.md'));
  const links = documents.flatMap((document) => {
    const prose = readFileSync(join(ROOT, document), 'utf8').replace(/^```[\s\S]*?^```/gm, '');
    return [...prose.matchAll(/(?:\]\(|\ssrc(?:set)?=")(?!\w+:|#|\/)([^)"#\s]+)/g)].map(
      ([, path = '']) => ({ document, path }),
    );
  });
  expect(links.length).toBeGreaterThan(100);
  const isThere = (path: string) => existsSync(path) || existsSync(`${path}.md`);
  expect(
    links.filter(({ document, path }) => !isThere(join(ROOT, dirname(document), path))),
  ).toEqual([]);
});

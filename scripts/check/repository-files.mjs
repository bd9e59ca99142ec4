// Every path that a document names in back-ticks exists, and every script that it runs with npm.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listRepositoryFiles } from '../import-rules/source-files.mjs';
import { listWorkspaces, ROOT, readManifest } from '../setup/repository.mjs';

const TOP_FOLDERS = /^(?:\.ci|apps|contracts|docs|packages|prisma|scripts)\//;
const FILE_NAME = /[\w>*-]\.(?:ts|tsx|mjs|js|json|md|prisma|sql|css|html|sh|ya?ml)$/;

export function checkDocumentedPaths() {
  const files = listRepositoryFiles(ROOT);
  const documents = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');
  const { scripts = {} } = readManifest('');
  return documents.flatMap((document) => {
    const text = readFileSync(join(ROOT, document), 'utf8');
    const names = [
      ...listPaths(text).filter((path) => !isPresent(path, document, files)),
      ...listScripts(text).filter((script) => !(script in scripts)),
    ];
    return names.map((name) => `${document} names \`${name}\`, which does not exist.`);
  });
}

/** The scripts of the root that a document runs; a workspace has scripts of its own. @param {string} markdown */
export function listScripts(markdown) {
  const runs = markdown.matchAll(/npm run (?:-s |--silent )?([a-z][\w:-]*)(?![\w:-]| -w)/g);
  return [...runs].map(([, script = '']) => script);
}

/**
 * Lists the paths in a document: words in back-ticks without spaces that either begin with a top folder or end as a
 * file does. Fenced blocks are examples, not references.
 * @param {string} markdown
 */
export function listPaths(markdown) {
  const prose = markdown.replace(/^ *(```+|~~~+)[\s\S]*?^ *\1/gm, '');
  const spans = [...prose.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
  return spans.filter(
    (span) => /^[\w.][\w.@*<>/-]*$/.test(span) && (TOP_FOLDERS.test(span) || FILE_NAME.test(span)),
  );
}

/**
 * `<name>` and `*` match any name. A path may be relative to the root or to the document's
 * folder, or consist of its last parts only (`join-rules.ts`).
 * @param {string} path @param {string} document @param {string[]} files
 */
export function isPresent(path, document, files) {
  if (existsSync(join(ROOT, path)) || existsSync(join(ROOT, dirname(document), path))) return true;
  const pattern = path
    .replace(/\/$/, '')
    .split(/<[^>]*>|\*+/)
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('[^/]*');
  const expression = new RegExp(`(?:^|/)${pattern}(?:/|$)`);
  return files.some((file) => expression.test(file));
}

/** npm shows the page of a published package without the repository around it. */
export function checkPublishedLinks() {
  const published = listWorkspaces().filter((folder) => readManifest(folder).private !== true);
  return published
    .map((folder) => `${folder}/README.md`)
    .filter((page) => existsSync(join(ROOT, page)))
    .flatMap((page) =>
      listRelativeLinks(readFileSync(join(ROOT, page), 'utf8')).map(
        (link) => `${page} links to ${link}, which a registry does not have.`,
      ),
    );
}

/** @param {string} markdown */
export function listRelativeLinks(markdown) {
  const links = [...markdown.matchAll(/\]\(([^)\s]+)/g)].map((match) => match[1] ?? '');
  return links.filter((link) => !/^(?:https?:|#)/.test(link));
}

// Every dependency names the same version in every workspace; that each is exact is a matter of the supply chain.

export function checkPinnedVersions() {
  const all = ['', ...listWorkspaces()].flatMap((folder) => {
    const { dependencies, devDependencies, optionalDependencies } = readManifest(folder);
    const named = { ...dependencies, ...devDependencies, ...optionalDependencies };
    return Object.entries(named).map(([name, version]) => ({ folder, name, version }));
  });
  const first = new Map(all.map(({ name, version }) => [name, version]));
  return all
    .filter(({ name, version }) => first.get(name) !== version)
    .map(({ folder, name, version }) => {
      return `${folder}/package.json: ${name} is ${version}, elsewhere ${first.get(name)}.`;
    });
}

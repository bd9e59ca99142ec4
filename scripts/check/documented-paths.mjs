// Every path of this repository that a document names in back-ticks exists.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listRepositoryFiles } from '../import-rules/source-files.mjs';
import { ROOT } from '../setup/repository.mjs';

const TOP_FOLDERS = /^(?:\.ci|apps|contracts|docs|packages|prisma|scripts)\//;
const FILE_NAME = /[\w>*-]\.(?:ts|tsx|mjs|js|json|md|prisma|sql|css|html|sh|ya?ml)$/;

export function checkDocumentedPaths() {
  const files = listRepositoryFiles(ROOT);
  const documents = files.filter((file) => file.endsWith('.md') && file !== 'CHANGELOG.md');
  return documents.flatMap((document) =>
    listPaths(readFileSync(join(ROOT, document), 'utf8'))
      .filter((path) => !isPresent(path, document, files))
      .map((path) => `${document} names \`${path}\`, which does not exist.`),
  );
}

/**
 * What looks like a path: in back-ticks, without spaces, and either under one of the top folders or
 * with a file's ending. Fenced blocks are examples, not references.
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
 * `<name>` and `*` stand for any name. A path may be meant from the root, from the document's
 * folder, or by its last parts only (`join-rules.ts`).
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

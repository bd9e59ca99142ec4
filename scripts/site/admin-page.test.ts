// The reference of the admin API lists every procedure once, and links to sections that exist.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ROOT } from '../setup/repository.mjs';
import type { AdminDocument } from './admin-page.ts';
import { composeProcedures, RULES } from './admin-page.ts';

const read = (path: string): string => readFileSync(`${ROOT}/${path}`, 'utf8');
const document: AdminDocument = JSON.parse(read('contracts/openapi-admin.json'));

test('has one row for every procedure, with six cells', () => {
  const rows = composeProcedures(document)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const names = rows.map((row) => /`([^`]+)`/.exec(row)?.[1] ?? '');
  const paths = Object.keys(document.paths).map((path) => path.replace('/admin/trpc/', ''));
  expect(names.toSorted()).toEqual(paths.toSorted());
  expect(rows.filter((row) => row.split(' | ').length !== 6)).toEqual([]);
});

test('lists the purpose, permission, input, output and errors of a procedure', () => {
  const page = composeProcedures(document);
  expect(page).toContain(
    '| `sessions.get` | Read a session. With `ended`, reads the last state of an ended session. | `session:view` | `type`, `session_id`, `if_none_match?`, `ended?` | `FoundSession` | `session_not_found` |',
  );
  expect(page).toContain('| `session_types: SessionType[]` |');
  expect(page).toContain('| `FoundSession` or null |');
});

test('throws for a procedure that names no permission', () => {
  const { post } = document.paths['/admin/trpc/sessions.get'] ?? {};
  if (!post) throw new Error('The document has no sessions.get.');
  const paths = { '/admin/trpc/sessions.get': { post: { ...post, description: 'Reads.' } } };
  expect(() => composeProcedures({ ...document, paths })).toThrow(
    'sessions.get names no permission.',
  );
});

test('links to sections of the rules that exist', () => {
  const headings = [...read('docs/admin-rules.md').matchAll(/^## (.+)$/gm)].map(
    ([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\w ]/g, '')
        .replaceAll(' ', '-'),
  );
  expect(Object.values(RULES).filter((anchor) => !headings.includes(anchor))).toEqual([]);
});

import { readFileSync } from 'node:fs';
import { contract } from '@muster/contract';
import { expect, test } from 'vitest';
import { listProcedures } from '../../src/admin/testing/list-procedures.ts';

const PAGE = readFileSync(new URL('../../../../docs/limits.md', import.meta.url), 'utf8');

/** What the rows of the last section are about: the code in their first cells. */
const readDocumented = (): string[] => {
  const section = PAGE.slice(PAGE.indexOf('## Every input and every answer'));
  const cells = section.matchAll(/^\| ([^|]*) \|/gm);
  return [...cells].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
};

const MOUNTS = ['/admin/export', '/admin/import', '/admin/auth', '/healthz', '/readyz', '/metrics'];

test('every route and every procedure has a row that says what bounds it, and no row is left over', () => {
  const routes = Object.values(contract).map(({ path }) => path);
  const files = ['/openapi.json', '/openapi-3.0.json', '/docs', '/'];
  const procedures = listProcedures().map(({ name }) => name);
  const expected = [...routes, ...MOUNTS, ...files, ...procedures];
  expect(readDocumented().sort()).toEqual(expected.sort());
});

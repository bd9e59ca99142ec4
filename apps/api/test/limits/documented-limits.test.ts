import { contract } from '@muster/contract';
import { expect, test } from 'vitest';
import { listProcedures } from '../../src/admin/testing/list-procedures.ts';
import { readLimits } from './read-limits.ts';

const MOUNTS = ['/admin/export', '/admin/import', '/admin/auth', '/healthz', '/readyz', '/metrics'];

test('every route and every procedure has a row that says what bounds it, and no row is left over', () => {
  const routes = Object.values(contract).map(({ path }) => path);
  const files = ['/openapi.json', '/openapi-3.0.json', '/docs', '/'];
  const procedures = listProcedures().map(({ name }) => name);
  const expected = [...routes, ...MOUNTS, ...files, ...procedures];
  const documented = readLimits().flatMap(({ names }) => names);
  expect(documented.sort()).toEqual(expected.sort());
});

test('no row leaves open what bounds the input, the rows, the answer or the time', () => {
  for (const { names, cells } of readLimits()) {
    expect(Object.keys(cells), names[0]).toEqual(['Input', 'Rows', 'Answer', 'Time']);
    expect(Object.values(cells), names[0]).not.toContain('');
    // Every answer has a bound.
    expect(cells.Answer, names[0]).not.toBe('–');
  }
});

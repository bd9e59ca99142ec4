import { readFileSync } from 'node:fs';
import { companionContract, contract, MAX_TOKEN_LENGTH } from '@muster/contract';
import { expect, test } from 'vitest';
import { listProcedures } from '../../src/admin/testing/list-procedures.ts';
import { readLimits } from './read-limits.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

const MOUNTS = [
  '/admin/export',
  '/admin/import',
  '/admin/audit/export',
  '/admin/auth',
  '/healthz',
  '/readyz',
  '/metrics',
];

test('every route and every procedure has exactly one row with its bounds', () => {
  const routes = [contract, companionContract].flatMap((one) =>
    Object.values(one).map(({ path }) => path),
  );
  const files = [
    '/openapi.json',
    '/openapi-3.0.json',
    '/openapi-companion.json',
    '/admin/openapi.json',
    '/docs',
    '/',
  ];
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

test('the page of the interface states the bounds that the contract has', () => {
  const { components, paths } = JSON.parse(read('contracts/openapi.json'));
  const { parameters } = paths['/v1/history/sandbox/{sandbox_id}/item/'].get;
  const query = (wanted: string) =>
    parameters.find(({ name }: { name: string }) => name === wanted).schema;
  const { client_version } = components.schemas.JoinRequest.properties;
  const { maxProperties, propertyNames, additionalProperties } = components.schemas.CustomData;
  const { minimum, maximum, default: usual } = query('page_size');
  const page = read('docs/interface.md').replaceAll('\n', ' ');
  for (const sentence of [
    `a token of more than ${MAX_TOKEN_LENGTH.toLocaleString('en-US')} characters`,
    `\`client_version\` (Semantic Versioning 2.0.0, at most ${client_version.maxLength} characters)`,
    `at most ${query('item_ids').maxItems} ids`,
    `${minimum}..${maximum}, default ${usual}`,
    `at most ${maxProperties} entries with keys of 1..${propertyNames.maxLength} and values of 1..${additionalProperties.maxLength} characters`,
  ]) {
    expect(page).toContain(sentence);
  }
});

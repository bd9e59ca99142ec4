import { expect, test } from 'vitest';
import { Environment } from './environment.ts';
import { listSettings } from './settings.ts';

const settings = listSettings().flatMap((group) => group.settings);

test('every variable that operators may set is explained once, in a sentence', () => {
  const names = settings.map(({ name }) => name).sort();
  const expected = Object.keys(Environment.shape).filter((name) => name !== 'WORKER_INDEX');
  expect(names).toEqual(expected.sort());
  for (const { name, meaning } of settings) expect(meaning, name).toMatch(/^\S.*\.$/);
});

test('the default that is shown is the one of the schema', () => {
  const byName = new Map(settings.map((setting) => [setting.name, setting.default]));
  expect(byName.get('PORT')).toBe('3000');
  expect(byName.get('METRICS_PORT')).toBe('not set');
  expect(byName.get('DATABASE_URL')).toBe('starts its own PostgreSQL');
});

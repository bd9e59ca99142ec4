import { expect, test } from 'vitest';
import { checkFile, EXPRESSIONS, isChecked } from './prose.mjs';

const EXPRESSION = { odd: /\bmoonwards\b/gi, better: 'towards the moon' };
const find = (file: string, source: string) =>
  checkFile(file, source, [EXPRESSION]).hits.map(({ line, found }) => `${line} ${found}`);

test('finds an odd expression in comments, messages and test titles, with its line', () => {
  const source = [
    'const moonwards = 1; // It flies moonwards.',
    '/** Moonwards only. */',
    "test('flies moonwards', () => fly('moonwards'));",
    'throw new Error(`It flies moonwards, moonwards`);',
  ];
  expect(find('a.ts', source.join('\n'))).toEqual([
    '1 moonwards',
    '2 Moonwards',
    '3 moonwards',
    '4 moonwards',
    '4 moonwards',
  ]);
});

test('reads every line of a document, and the comments of a script', () => {
  expect(find('a.md', '# Moonwards\n\nmoonwards')).toEqual(['1 Moonwards', '3 moonwards']);
  expect(find('.ci/run', 'moonwards\n# moonwards')).toEqual(['2 moonwards']);
});

test('counts the words that it has read', () => {
  expect(checkFile('a.ts', '// Two words\nconst x = 1;').words).toBe(2);
});

test('reports packed object literals, and not conditional spreads', () => {
  const packed = ['const a = { ...', '{ b, c } };'].join('');
  const conditional = 'const a = { ...(b && { b }), ...c };';
  expect(checkFile('a.ts', `${conditional}\n${packed}`).packed).toEqual([
    expect.objectContaining({ line: 2 }),
  ]);
});

test('accepts questions and ordinary sentences', () => {
  const text = 'What happens next? So much that it matters. Who is the caller? The queue is full.';
  expect(checkFile('a.md', text).hits).toEqual([]);
});

test('skips generated and published files', () => {
  const skipped = [
    'CHANGELOG.md',
    'contracts/released/openapi.json',
    'packages/database/src/generated/client.ts',
    'prisma/migrations/1_init/migration.sql',
  ];
  expect(skipped.filter(isChecked)).toEqual([]);
  expect(['README.md', 'apps/api/src/main.ts', '.ci/run'].every(isChecked)).toBe(true);
});

test('has a suggestion for each expression, and expressions that match everywhere in a line', () => {
  for (const { odd, better } of EXPRESSIONS) {
    expect(odd.global).toBe(true);
    expect(better).not.toBe('');
  }
});

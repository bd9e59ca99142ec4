import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../setup/repository.mjs';
import { LANGUAGES } from './languages.ts';
import {
  DOCUMENTS,
  overviewOf,
  parseRecipe,
  readDocument,
  readRecipe,
  readRecipeText,
} from './recipe.ts';

const commandsOf = (language: string) =>
  readRecipe(language).steps.filter((step) => step.kind === 'commands');
const filesOf = (language: string) =>
  readRecipe(language).steps.filter((step) => step.kind === 'file');
const wholeText = (language: string) =>
  readRecipe(language)
    .steps.map((step) => (step.kind === 'file' ? step.text : step.commands))
    .join('\n');

describe.each(LANGUAGES)('the recipe $name', ({ name, generator, isSyntaxOnly = false }) => {
  test('names the generator that the command reports, and runs the same version', () => {
    const [tool = '', version = ''] = generator.split(' ');
    expect(readRecipeText(name)).toMatch(new RegExp(`${tool}[^\n]*\\bv?${version}\\b`, 'i'));
    expect(wholeText(name)).toContain(version);
  });

  test('has a program, and ends by running it', () => {
    expect(filesOf(name).length).toBeGreaterThan(0);
    expect(commandsOf(name).at(-1)?.name).toBe('run');
  });

  test('shows the name of each file to those who see no fences', () => {
    for (const { path } of filesOf(name)) {
      expect(readRecipeText(name)).toMatch(new RegExp(`^\\*\\*${path}\\*\\*\n\n\`\`\`\\w+ `, 'm'));
    }
  });

  test.skipIf(isSyntaxOnly)('reads every setting that is explained', () => {
    const overview = overviewOf(name);
    const explained = [...readRecipeText(overview).matchAll(/^export (\w+)=…/gm)];
    expect(explained).toHaveLength(overview === 'admin' ? 3 : 7);
    for (const [, key] of explained) {
      expect(wholeText(name)).toMatch(new RegExp(`["']${key}["']`));
    }
  });

  test.skipIf(isSyntaxOnly)(
    'prints what every other recipe prints, and tells where to read it',
    () => {
      const overview = overviewOf(name);
      const first = overview === 'admin' ? 'admin-typescript' : 'typescript';
      expect(readRecipe(name).output).toBe(readRecipe(first).output);
      expect(readRecipeText(name)).toContain(`](${overview}.md#run)`);
    },
  );

  test('takes enumerations out of the document, or needs not to', () => {
    const isOpen = wholeText(name).includes('(enum|x-enum-varnames)');
    const isOpenByNature = ['typescript', 'hey-api', 'go'].includes(name.replace('admin-', ''));
    expect(isOpen).toBe(!isOpenByNature && !isSyntaxOnly);
  });
});

describe('the tables of docs/clients', () => {
  const rows = [readRecipeText('README'), readRecipeText('admin')]
    .flatMap((page) => page.split('\n'))
    .filter((line) => line.startsWith('| ') && line.includes('.md)'));

  test('have a row for every recipe, with its language and the version of its generator', () => {
    expect(rows).toHaveLength(LANGUAGES.length);
    for (const { name, title, generator } of LANGUAGES) {
      const row = rows.find((line) => line.includes(`(${name}.md)`));
      expect(row).toContain(`| ${title.replace(' (admin)', '')} |`);
      expect(row).toContain(generator);
    }
  });

  test('say of every recipe whether its program runs', () => {
    for (const { name, isSyntaxOnly = false } of LANGUAGES) {
      const row = rows.find((line) => line.includes(`(${name}.md)`)) ?? '';
      expect(/\brun\b/.test(row)).toBe(!isSyntaxOnly);
    }
    expect(LANGUAGES.filter((language) => !language.isSyntaxOnly).length).toBeGreaterThanOrEqual(
      17,
    );
  });

  test('takes every enumeration out of the documents, and leaves them JSON', () => {
    const [, from = ''] =
      /perl -0pi -e 's\/(.+)\/\/g' openapi/.exec(readRecipeText('README')) ?? [];
    for (const name of DOCUMENTS) {
      const opened = readDocument(name).replaceAll(new RegExp(from, 'g'), '');
      expect(JSON.parse(opened).openapi).toMatch(/^3\./);
      expect(opened).not.toContain('"enum"');
    }
  });
});

describe('recipes', () => {
  test('exist for every language of the command', () => {
    for (const { name } of LANGUAGES) {
      expect(existsSync(`${ROOT}/docs/clients/${name}.md`)).toBe(true);
    }
  });

  test('are their named blocks, in order; a block without a name only explains', () => {
    const text = [
      '```py main.py\nprint(1)\n```',
      '```sh\nexport A=1\n```',
      '```sh run\npython main.py\n```',
      '```text output\n1\n```',
    ].join('\n\n');
    expect(parseRecipe(text, 'shared\n')).toEqual({
      steps: [
        { kind: 'file', path: 'main.py', text: 'print(1)\n' },
        { kind: 'commands', name: 'run', commands: 'python main.py\n' },
      ],
      output: '1\n',
    });
  });

  test('print what the shared page says, unless they say it', () => {
    const run = '```sh run\ntrue\n```\n';
    const output = '```text output\n1\n```\n';
    expect(parseRecipe(run, '2\n').output).toBe('2\n');
    expect(parseRecipe(run + output, '2\n').output).toBe('1\n');
  });

  test('are refused with two outputs, or when nothing runs at the end', () => {
    const run = '```sh run\ntrue\n```\n';
    const output = '```text output\n1\n```\n';
    expect(() => parseRecipe(run + output + output, '')).toThrow('at most one block named output');
    expect(() => parseRecipe(`${run}\`\`\`c a.c\n\`\`\`\n`, '')).toThrow('ends with the commands');
  });
});

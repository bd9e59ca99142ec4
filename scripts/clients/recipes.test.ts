import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../setup/repository.mjs';
import { LANGUAGES } from './languages.ts';
import { parseRecipe, readRecipe, readRecipeText } from './recipe.ts';

const commandsOf = (language: string) =>
  readRecipe(language).steps.filter((step) => step.kind === 'commands');
const filesOf = (language: string) =>
  readRecipe(language).steps.filter((step) => step.kind === 'file');
const wholeText = (language: string) =>
  readRecipe(language)
    .steps.map((step) => (step.kind === 'file' ? step.text : step.commands))
    .join('\n');

describe.each(LANGUAGES)('the recipe for $title', ({ name, generator }) => {
  test('names the generator that the command reports, and runs the same version', () => {
    const [tool = '', version = ''] = generator.split(' ');
    expect(readRecipeText(name)).toMatch(new RegExp(`${tool}[^\n]*\\bv?${version}\\b`, 'i'));
    expect(wholeText(name)).toContain(version);
  });

  test('has a program, and ends by running it', () => {
    expect(filesOf(name).length).toBeGreaterThan(0);
    expect(commandsOf(name).at(-1)?.name).toBe('run');
  });

  test('reads only settings that it explains, and all of them', () => {
    const explained = [...readRecipeText(name).matchAll(/^export (\w+)=…/gm)].map(([, key]) => key);
    const program = wholeText(name);
    expect(explained).toHaveLength(7);
    for (const key of explained)
      expect(program).toContain(`"${key}"`.replaceAll('"', quoteOf(name)));
  });

  test('shows the name of each file to those who see no fences', () => {
    for (const { path } of filesOf(name)) {
      expect(readRecipeText(name)).toMatch(new RegExp(`^\\*\\*${path}\\*\\*\n\n\`\`\`\\w+ `, 'm'));
    }
  });

  test('prints what every other recipe prints', () => {
    expect(readRecipe(name).output).toBe(readRecipe('typescript').output);
  });

  test('explains how to run it in the same words as every other recipe', () => {
    const explanationOf = (text: string) => /^## Run\n([\s\S]*?)```sh run/m.exec(text)?.[1];
    expect(explanationOf(readRecipeText(name))).toBeDefined();
    expect(explanationOf(readRecipeText(name))).toBe(explanationOf(readRecipeText('typescript')));
  });
});

const quoteOf = (language: string): string => (language === 'typescript' ? "'" : '"');

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
    expect(parseRecipe(text)).toEqual({
      steps: [
        { kind: 'file', path: 'main.py', text: 'print(1)\n' },
        { kind: 'commands', name: 'run', commands: 'python main.py\n' },
      ],
      output: '1\n',
    });
  });

  test('are refused without an output, with two, or when nothing runs at the end', () => {
    const run = '```sh run\ntrue\n```\n';
    const output = '```text output\n1\n```\n';
    expect(() => parseRecipe(run)).toThrow('exactly one block named output');
    expect(() => parseRecipe(run + output + output)).toThrow('exactly one block named output');
    expect(() => parseRecipe(`${run}\`\`\`c a.c\n\`\`\`\n${output}`)).toThrow(
      'ends with the commands',
    );
  });
});

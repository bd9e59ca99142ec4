// Before the run: no old pacts. After it: pacts in one order, and none lost.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Declared, PactContent } from './pact-content.ts';
import { DECLARED_VARIABLE, FOLDER_VARIABLE, findLost, sortPact } from './pact-content.ts';

export const setup = (): (() => void) => {
  const folders = (process.env[FOLDER_VARIABLE] ?? '').split(delimiter);
  const declaredFile = process.env[DECLARED_VARIABLE] ?? '';
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  for (const { path } of folders.flatMap(listPacts)) rmSync(path);
  rmSync(declaredFile, { force: true });
  return () => {
    const pacts = folders.flatMap(listPacts);
    for (const { path, content } of pacts) {
      writeFileSync(path, `${JSON.stringify(sortPact(content), null, 2)}\n`);
    }
    const declared = readDeclared(declaredFile);
    rmSync(declaredFile, { force: true });
    reportLost(
      findLost(
        declared,
        pacts.map(({ content }) => content),
      ),
      folders.join(' or '),
    );
  };
};

const listPacts = (folder: string): { path: string; content: PactContent }[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const path = join(folder, name);
      const content = readPact(path);
      return content ? [{ path, content }] : [];
    });

/** Null for JSON that is no pact, which is left alone. */
const readPact = (path: string): PactContent | null => {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as Partial<PactContent>;
    const isPact = content.consumer && content.provider && Array.isArray(content.interactions);
    return isPact ? (content as PactContent) : null;
  } catch {
    return null;
  }
};

const readDeclared = (file: string): Declared[] => {
  try {
    const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Declared);
  } catch {
    return [];
  }
};

/** vitest prints what a set-up throws at its end, but a sentence is easier to read, and the exit code is what counts. */
const reportLost = (lost: readonly Declared[], folder: string): void => {
  if (lost.length === 0) return;
  process.exitCode = 1;
  const names = lost.map(({ consumer, provider, description }) => {
    return `  ${consumer} → ${provider}: ${description}`;
  });
  process.stderr.write(
    `\n${lost.length} interactions that tests declared are in no pact of ${folder}:\n${names.join('\n')}\nTheir tests failed, never ran them, or wrote over each other.\n`,
  );
};

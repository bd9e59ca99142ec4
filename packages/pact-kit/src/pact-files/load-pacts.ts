// Pacts from files, folders and URLs. Whatever cannot be read is a finding, never an exception.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../finding.ts';
import type { PactFile } from '../pact-file.ts';
import { fetchPact } from './fetch-pact.ts';
import { parseJson } from './json-document.ts';
import type { ReadPact } from './read-pact.ts';
import { looksLikePact, readPact } from './read-pact.ts';

export type LoadOptions = {
  /** Where copies of downloaded pacts go; when absent, a folder that is removed as the process ends. */
  downloads?: string;
  /** Sent to URLs, such as `authorization`. */
  headers?: Readonly<Record<string, string>>;
};

export type LoadedPacts = { pacts: PactFile[]; findings: Finding[] };

/** Loads every target: a file, a folder (every pact in it, at any depth), or an http(s) URL. */
export const loadPacts = async (
  targets: readonly string[],
  options: LoadOptions = {},
): Promise<LoadedPacts> => {
  const read: ReadPact[] = [];
  for (const target of targets) read.push(...(await loadTarget(target, options)));
  return {
    pacts: read.flatMap(({ pact }) => (pact ? [pact] : [])),
    findings: read.flatMap(({ findings }) => findings),
  };
};

const loadTarget = async (target: string, options: LoadOptions): Promise<ReadPact[]> => {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(target)) return loadPath(target);
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) {
    return [unreadable(target, 'This is not an http or https URL.')];
  }
  const downloads = options.downloads ?? temporaryFolder();
  const download = await fetchPact(target, downloads, options.headers ?? {});
  if ('problem' in download) return [unreadable(target, download.problem)];
  return [readPact(download.text, target, download.path)];
};

const loadPath = (target: string): ReadPact[] => {
  try {
    return statSync(target).isDirectory() ? loadFolder(target) : [loadFile(target)];
  } catch (error) {
    return [unreadable(target, explain(error))];
  }
};

const loadFile = (path: string): ReadPact => readPact(readFileSync(path, 'utf8'), path, path);

const loadFolder = (folder: string): ReadPact[] => {
  const read = listJsonFiles(folder).flatMap((path) => loadFolderFile(path));
  if (read.length > 0) return read;
  return [unreadable(folder, 'The folder contains no pact file.', 'no-pact-found')];
};

/** A broken file may have been a pact, so it counts; JSON that is something else does not. */
const loadFolderFile = (path: string): ReadPact[] => {
  const text = readFileSync(path, 'utf8');
  const parsed = parseJson(text, path);
  if ('document' in parsed && !looksLikePact(parsed.document.value)) return [];
  return [readPact(text, path, path)];
};

/** In the order of their names, so that reports are stable. Dependencies are not the consumer's pacts. */
const listJsonFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : listJsonFiles(path);
      return entry.name.endsWith('.json') ? [path] : [];
    });

const unreadable = (file: string, message: string, rule = 'unreadable-pact'): ReadPact => ({
  pact: null,
  findings: [{ rule, severity: 'error', message, place: { file } }],
});

const REASONS: Record<string, string> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'The file may not be read.',
};

const explain = (error: unknown): string => {
  if (!(error instanceof Error)) throw error;
  const code = 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? `The file could not be read: ${error.message}.`;
};

let folder: string | undefined;

const temporaryFolder = (): string => {
  if (folder !== undefined) return folder;
  const made = mkdtempSync(join(tmpdir(), 'muster-pact-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  folder = made;
  return made;
};

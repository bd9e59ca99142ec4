// Pacts from files, folders and URLs. Whatever cannot be read is a finding, never an exception.
import { realpathSync } from 'node:fs';
import type { Finding } from '../finding.ts';
import type { PactFile } from '../pact-file.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { fetchPact } from './fetch-pact.ts';
import { parseJson } from './json-document.ts';
import { explain, isFolder, listJsonFiles, readText } from './json-files.ts';
import type { ReadPact } from './read-pact.ts';
import { looksLikePact, readPact } from './read-pact.ts';

export type LoadOptions = {
  /** Where copies of downloaded pacts go; when absent, a folder that is removed as the process ends. */
  downloads?: string;
  /** Sent to URLs, such as `authorization`. */
  headers?: Readonly<Record<string, string>>;
  /** Ends downloads; its reason is thrown. */
  signal?: AbortSignal | undefined;
};

export type LoadedPacts = { pacts: PactFile[]; findings: Finding[] };

/** Loads every target: a file, a folder (every pact in it, at any depth), or an http(s) URL. */
export const loadPacts = async (
  targets: readonly string[],
  options: LoadOptions = {},
): Promise<LoadedPacts> => {
  const read: ReadPact[] = [];
  const seen = new Set<string>();
  for (const target of targets) {
    const loaded = await loadTarget(target, options);
    read.push(...loaded.filter(({ pact }) => !pact || isNew(pact.path, seen)));
  }
  return {
    pacts: read.flatMap(({ pact }) => (pact ? [pact] : [])),
    findings: read.flatMap(({ findings }) => findings),
  };
};

/** A file that two targets name, or that a link leads to again, is one pact. */
const isNew = (path: string, seen: Set<string>): boolean => {
  const real = realpathSync(path);
  if (seen.has(real)) return false;
  seen.add(real);
  return true;
};

const loadTarget = async (target: string, options: LoadOptions): Promise<ReadPact[]> => {
  if (!/^[a-z][a-z0-9+.-]+:\/\//i.test(target)) return loadPath(target);
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) {
    return [unreadable(target, 'This is not an http or https URL.')];
  }
  const downloads = options.downloads ?? sharedFolder();
  const download = await fetchPact(target, { ...options, folder: downloads });
  if ('problem' in download) return [unreadable(download.source, download.problem)];
  return [readPact(download.text, download.source, download.path)];
};

const loadPath = (target: string): ReadPact[] =>
  attempt(target, () => (isFolder(target) ? loadFolder(target) : [loadFile(target)]));

const attempt = (path: string, load: () => ReadPact[]): ReadPact[] => {
  try {
    return load();
  } catch (error) {
    return [unreadable(path, explain(error))];
  }
};

const loadFile = (path: string): ReadPact => readPact(readText(path), path, path);

const loadFolder = (folder: string): ReadPact[] => {
  const read = listJsonFiles(folder).flatMap((path) => attempt(path, () => loadFolderFile(path)));
  if (read.length > 0) return read;
  return [unreadable(folder, 'The folder contains no pact file.', 'no-pact-found')];
};

/** A broken file may have been a pact, so it counts; JSON that is something else does not. */
const loadFolderFile = (path: string): ReadPact[] => {
  const text = readText(path);
  const parsed = parseJson(text, path);
  if ('document' in parsed && !looksLikePact(parsed.document.value)) return [];
  return [readPact(text, path, path)];
};

const unreadable = (file: string, message: string, rule = 'unreadable-pact'): ReadPact => ({
  pact: null,
  findings: [{ rule, severity: 'error', message, place: { file } }],
});

let folder: string | undefined;

/** For callers that have none of their own. */
const sharedFolder = (): string => {
  folder ??= temporaryFolder('muster-pact-').path;
  return folder;
};

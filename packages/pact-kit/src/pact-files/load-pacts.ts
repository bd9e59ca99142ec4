// Pacts from files, folders and URLs. Whatever cannot be read is a finding, never an exception.

import type { Dirent } from 'node:fs';
import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { splitCredentials } from '../broker/hal-client.ts';
import type { Finding, PactFile } from '../findings.ts';
import { sentenceOf } from '../findings.ts';
import { parseJson } from './json-document.ts';
import type { ReadPact } from './read-pact.ts';
import { looksLikePact, readPact } from './read-pact.ts';

type LoadOptions = {
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
    read.push(...loaded.filter(({ pact }) => !pact || isNew(pact.source, seen)));
  }
  return {
    pacts: read.flatMap(({ pact }) => (pact ? [pact] : [])),
    findings: read.flatMap(({ findings }) => findings),
  };
};

/** A pact that is named twice, by two targets or by a link, is loaded once. */
const isNew = (source: string, seen: Set<string>): boolean => {
  const real = isUrl(source) ? source : realpathSync(source);
  if (seen.has(real)) return false;
  seen.add(real);
  return true;
};

const isUrl = (target: string): boolean => /^[a-z][a-z0-9+.-]+:\/\//i.test(target);

const loadTarget = async (target: string, options: LoadOptions): Promise<ReadPact[]> => {
  if (!isUrl(target)) {
    return attempt(target, () =>
      statSync(target).isDirectory() ? loadFolder(target) : [readPact(readText(target), target)],
    );
  }
  if (!/^https?:\/\//i.test(target) || !URL.canParse(target)) {
    return [unreadable(target, 'This is not an http or https URL.')];
  }
  const download = await fetchPact(target, options);
  if ('problem' in download) return [unreadable(download.source, download.problem)];
  return [readPact(download.text, download.source)];
};

const attempt = (path: string, load: () => ReadPact[]): ReadPact[] => {
  try {
    return load();
  } catch (error) {
    return [unreadable(path, explain(error))];
  }
};

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
  return [readPact(text, path)];
};

const unreadable = (file: string, message: string, rule = 'unreadable-pact'): ReadPact => ({
  pact: null,
  findings: [{ rule, severity: 'error', message, place: { file } }],
});

const TIMEOUT_MS = 30_000;

/** `source` is the URL without a password: reports name it. */
type Download = { source: string } & ({ text: string } | { problem: string });

/** Reads a pact from an http(s) URL. */
const fetchPact = async (target: string, { headers, signal }: LoadOptions): Promise<Download> => {
  const { url, headers: credentials } = splitCredentials(target);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/hal+json, application/json', ...credentials, ...headers },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const { ok, status } = response;
    if (!ok) return { source: url, problem: `The server answered ${status} for this URL.` };
    return { source: url, text: await response.text() };
  } catch (error) {
    signal?.throwIfAborted();
    const reason = timeout.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : sentenceOf(error);
    return { source: url, problem: `The URL could not be read: ${reason}.` };
  }
};

// Finds and reads the JSON files of a folder, whatever else is in it.

/** In the order of their names, so that reports are stable. Dependencies are not the consumer's pacts. */
const listJsonFiles = (folder: string, around: readonly string[] = []): string[] => {
  const real = realpathSync(folder);
  // A link to a folder around it would lead in a circle.
  if (around.includes(real)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (isFolderEntry(entry, path)) {
        return entry.name === 'node_modules' ? [] : listJsonFiles(path, [...around, real]);
      }
      return entry.name.endsWith('.json') ? [path] : [];
    });
};

/** Links are followed: consumers of a monorepo link their pacts together. One that leads nowhere is no folder. */
const isFolderEntry = (entry: Dirent, path: string): boolean =>
  entry.isDirectory() ||
  (entry.isSymbolicLink() && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true);

/** Throws for what is no regular file: reading a pipe would wait for ever. RFC 8259 asks for UTF-8. */
const readText = (path: string): string => {
  if (!statSync(path).isFile()) throw new Error('it is not a file');
  return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path));
};

const REASONS: Record<string, string> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'The file may not be read.',
  ELOOP: 'The link leads in a circle.',
  ERR_ENCODING_INVALID_ENCODED_DATA: 'The file is not valid JSON: it is not in UTF-8.',
};

/** Why a file could not be read, in a sentence. */
const explain = (error: unknown): string => {
  if (!(error instanceof Error)) throw error;
  const code = 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? `The file could not be read: ${error.message}.`;
};

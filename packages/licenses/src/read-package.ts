// Reads from an installed package what its licence asks us to pass on.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Component } from './notices.ts';

type Manifest = {
  name: string;
  version: string;
  license?: unknown;
  author?: Person;
  contributors?: Person[];
};
type Person = string | { name: string; email?: string };

const NOTICE_NAME = /^(?:licen[cs]e|copying|copyright|notice|third.?party)/i;
const CODE_NAME = /\.(?:[cm]?[jt]s|json|map)$/i;

/** From here on, such a file lists what the package bundles for itself. */
const BUNDLED_HEADING = '\n# Licenses of bundled dependencies';

type Options = {
  /** True where the artefact contains the package's own code and nothing that the package bundles. */
  isOwnCodeOnly: boolean;
  /** Paths of further notices, of a bundle that the package ships. */
  noticeFiles: ReadonlySet<string>;
};

/** `folder` holds the package. Throws when it states no licence, or ships no text and its licence's standard text is not known. */
export const readPackage = (folder: string, options: Options): Component => {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { name, version, license } = manifest;
  if (typeof license !== 'string') throw new Error(`${name} ${version} states no licence.`);
  const texts = listNoticeFiles(folder).map((file) => readText(folder, file, options));
  if (texts.length === 0)
    texts.push({ file: 'LICENSE', text: writeStandardText(manifest, license) });
  for (const path of options.noticeFiles) {
    texts.push({ file: relative(folder, path), text: readNotice(path) });
  }
  return { name, version, license: license.trim(), text: joinTexts(texts) };
};

type Text = { file: string; text: string };

const readText = (folder: string, file: string, { isOwnCodeOnly }: Options): Text => {
  const text = readNotice(join(folder, file));
  return { file, text: isOwnCodeOnly ? (text.split(BUNDLED_HEADING)[0] ?? '').trim() : text };
};

/** A single file needs no heading. */
const joinTexts = (texts: readonly Text[]): string =>
  texts.map(({ file, text }) => (texts.length === 1 ? text : `${file}:\n\n${text}`)).join('\n\n');

const listNoticeFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .filter((name) => NOTICE_NAME.test(name) && !CODE_NAME.test(name))
    .toSorted();

const readNotice = (path: string): string =>
  readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/^\n+|\n+$/g, '');

// Some packages name a licence and ship no text of it. Their licence still asks for one, so it gets the standard text.

const APACHE_FILE = fileURLToPath(new URL('../../../LICENSE', import.meta.url));

const MIT_TERMS = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;

const writeStandardText = (manifest: Manifest, license: string): string => {
  const { name, version, author, contributors = [] } = manifest;
  const people = (author ? [author] : contributors).map(nameOf).join(', ');
  if (!people) throw new Error(`${name} ${version} ships no licence text and names no author.`);
  const introduction = `The package ships no licence text. This is the standard text of ${license}; package.json names the author.`;
  switch (license) {
    case 'MIT':
      return `${introduction}\n\nMIT License\n\nCopyright (c) ${people}\n\n${MIT_TERMS}`;
    case 'Apache-2.0':
      return `${introduction}\n\nCopyright ${people}\n\n${readNotice(APACHE_FILE)}`;
    default:
      throw new Error(`${name} ${version} ships no text of its licence, ${license}.`);
  }
};

const nameOf = (person: Person): string => {
  if (typeof person === 'string') return person;
  return person.email ? `${person.name} <${person.email}>` : person.name;
};

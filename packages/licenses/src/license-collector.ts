// Collects, while a bundler writes an artefact, the packages whose code, styles and fonts end up in it.
import { existsSync, readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAllowedLicense } from './allowed-licenses.ts';
import type { Component } from './notices.ts';
import { parseNotices, sortUnique, writeNotices } from './notices.ts';
import { readPackage } from './read-package.ts';

/** The licence of Muster itself. */
const OWN_LICENSE_FILE = 'LICENSE';
const NOTICES_FILE = 'THIRD-PARTY-LICENSES.txt';
/** What `write` writes. */
export const LICENSE_FILES: readonly string[] = [OWN_LICENSE_FILE, NOTICES_FILE];

const OWN_LICENSE = fileURLToPath(new URL('../../../LICENSE', import.meta.url));

/** The description of a written file that Rolldown, Vite and Rollup pass to a plugin. */
type Output =
  | { type: 'chunk'; moduleIds: string[] }
  | { type: 'asset'; originalFileNames: string[] };

/** A plugin as all three of them take it. */
type BundlerPlugin = {
  name: string;
  /** Called by Vite only. */
  configResolved(config: { root: string }): void;
  generateBundle: {
    order: 'pre';
    handler(options: unknown, bundle: Record<string, Output>): void;
  };
};

/** Bundlers add code of their own, in modules that begin like this and have no file. */
const VIRTUAL_MODULES = [
  { start: '\0rolldown/', packageName: 'rolldown' },
  { start: '\0vite/', packageName: 'vite' },
  { start: '\0plugin-vue:', packageName: '@vitejs/plugin-vue' },
] as const;

/** The folder of the innermost package that a file belongs to. */
const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

type Options = {
  /** The name of the artefact, such as `@muster/server`. */
  artefact: string;
  /** The folder from which the packages of the bundler are found, and where relative paths begin unless Vite has another root. */
  root: string;
};

type FoundPackage = {
  /** Whether the artefact contains code that the package adds to bundles, and none of its files, which may be bundles themselves. */
  isOwnCodeOnly: boolean;
  /** Files that bundlers write beside a bundle, with the notices of what is in it. */
  noticeFiles: Set<string>;
};

export class LicenseCollector {
  readonly #artefact: string;
  readonly #root: string;
  /** Where Vite's relative paths begin. */
  #filesRoot: string;
  /** By folder. */
  readonly #packages = new Map<string, FoundPackage>();
  readonly #components: Component[] = [];

  constructor({ artefact, root }: Options) {
    this.#artefact = artefact;
    this.#root = root;
    this.#filesRoot = root;
  }

  /** Notes what a bundle is made of. One collector may serve all bundles of an artefact. */
  get plugin(): BundlerPlugin {
    return {
      name: 'muster:licenses',
      configResolved: (config) => {
        this.#filesRoot = config.root;
      },
      generateBundle: {
        // Afterwards Vite removes the chunks that hold nothing but styles.
        order: 'pre',
        handler: (_, bundle) => {
          for (const output of Object.values(bundle)) {
            const ids = output.type === 'chunk' ? output.moduleIds : output.originalFileNames;
            for (const id of ids) this.#addModule(id);
          }
        },
      },
    };
  }

  /** Adds the package of a file that is part of the artefact. */
  addFile(path: string): void {
    const file = resolve(this.#filesRoot, path);
    const folder = PACKAGE_FOLDER.exec(file)?.[0];
    const found = folder ? this.#addPackage(folder) : null;
    if (found) found.isOwnCodeOnly = false;
    const noticeFile = `${file}.LICENSE.txt`;
    if (!existsSync(noticeFile)) return;
    if (found) found.noticeFiles.add(noticeFile);
    // A source of ours with the work of others in it: its notices are entries.
    else this.addNotices(readFileSync(noticeFile, 'utf8'));
  }

  /** Adds the entries of another artefact, which is a part of this one. */
  addNotices(notices: string): void {
    this.#components.push(...parseNotices(notices));
  }

  #addModule(id: string): void {
    if (!id.startsWith('\0')) {
      this.addFile(id.replace(/\?.*$/, ''));
      return;
    }
    const bundler = VIRTUAL_MODULES.find(({ start }) => id.startsWith(start));
    if (!bundler) {
      throw new Error(`The module ${id} is part of ${this.#artefact}, and of no package.`);
    }
    this.#addPackage(this.#findInstalled(bundler.packageName));
  }

  /** Not by `resolve`, since a package may not export its manifest. */
  #findInstalled(name: string): string {
    const folders = createRequire(join(this.#root, 'package.json')).resolve.paths(name) ?? [];
    const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
    if (!found) throw new Error(`${name} is part of ${this.#artefact}, and is not installed.`);
    return found;
  }

  #addPackage(folder: string): FoundPackage {
    const known = this.#packages.get(folder);
    if (known) return known;
    const found: FoundPackage = { isOwnCodeOnly: true, noticeFiles: new Set() };
    this.#packages.set(folder, found);
    return found;
  }

  /** One component for each version of each package, sorted. Throws where one has no text, or a licence that is not allowed. */
  list(): Component[] {
    const all = [...this.#packages].map(([folder, found]) => readPackage(folder, found));
    const components = sortUnique([...this.#components, ...all]);
    const refused = components
      .filter(({ license }) => !isAllowedLicense(license))
      .map(({ name, version, license }) => `${name} ${version} (${license})`);
    if (refused.length === 0) return components;
    throw new Error(
      `${this.#artefact} contains software under licences that are not allowed: ${refused.join(', ')}.`,
    );
  }

  /** Writes both files with licences into a folder. Throws as `list` does. */
  async write(folder: string): Promise<void> {
    await writeFile(join(folder, NOTICES_FILE), writeNotices(this.#artefact, this.list()));
    await copyFile(OWN_LICENSE, join(folder, OWN_LICENSE_FILE));
  }
}

// The collector over packages as npm installs them, with bundles in the form that Rolldown and Vite give to plugins.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { LicenseCollector } from './license-collector.ts';
import { parseNotices } from './notices.ts';

const folder = mkdtempSync(join(tmpdir(), 'licenses-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (path: string, text: string): string => {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
};

type Package = { license?: string; author?: string; files?: Record<string, string> };

/** Answers the path of its module. */
const install = (name: string, { license, author, files = {} }: Package): string => {
  const manifest = { name, version: '1.0.0', license, author };
  write(`node_modules/${name}/package.json`, JSON.stringify(manifest));
  for (const [file, text] of Object.entries(files)) write(`node_modules/${name}/${file}`, text);
  return write(`node_modules/${name}/dist/index.js`, '');
};

let licenses: LicenseCollector;
beforeEach(() => {
  licenses = new LicenseCollector({ artefact: 'the artefact', root: folder });
});

const bundle = (moduleIds: string[], originalFileNames: string[] = []): void =>
  licenses.plugin.generateBundle.handler(null, {
    'index.js': { type: 'chunk', moduleIds },
    'assets/file': { type: 'asset', originalFileNames },
  });

const MIT = { license: 'MIT', files: { LICENSE: 'The terms of MIT.\n' } };

describe('what is collected', () => {
  test('is each package of a module, a style or a font, once, and nothing else', () => {
    const plain = install('plain', MIT);
    const scoped = install('@scope/styled', MIT);
    install('font', { license: 'OFL-1.1', files: { 'LICENSE.md': 'The terms of OFL.' } });
    install('unused', MIT);
    const nested = install('plain/node_modules/nested', MIT);
    bundle(
      [plain, `${dirname(plain)}/other.js`, `${scoped}?inline`, nested, join(folder, 'src/own.ts')],
      ['node_modules/font/files/font.woff2', 'index.html'],
    );
    bundle([plain]);
    expect(licenses.list().map(({ name, version }) => `${name} ${version}`)).toEqual([
      '@scope/styled 1.0.0',
      'font 1.0.0',
      'plain 1.0.0',
      'plain/node_modules/nested 1.0.0',
    ]);
  });

  test('includes what the bundler adds, with its own licence alone', () => {
    const core = '# Vite core license\nThe terms of MIT.';
    const files = { 'LICENSE.md': `${core}\n\n# Licenses of bundled dependencies\n\n## Others` };
    install('vite', { license: 'MIT', files });
    bundle(['\0vite/preload-helper.js']);
    expect(licenses.list()).toEqual([
      { name: 'vite', version: '1.0.0', license: 'MIT', text: core },
    ]);
  });

  test('includes what is written beside a source of ours with the work of others', () => {
    const icons = write('src/icons.tsx', '');
    const entry = `${'-'.repeat(80)}\n@icons/all 3.1.0\nLicence: MIT\n\nThe terms of MIT.\n`;
    write('src/icons.tsx.LICENSE.txt', entry);
    bundle([icons]);
    expect(licenses.list()).toEqual([
      { name: '@icons/all', version: '3.1.0', license: 'MIT', text: 'The terms of MIT.' },
    ]);
  });

  test('cannot miss a module of an unknown origin', () => {
    expect(() => bundle(['\0somewhere/else.js'])).toThrow('somewhere/else.js');
  });
});

describe('the text of a package', () => {
  const textOf = (name: string, options: Package): string | undefined => {
    bundle([install(name, options)]);
    return licenses.list()[0]?.text;
  };

  test('is each of its files about licences, and those beside the file that is bundled', () => {
    const files = {
      NOTICE: '\uFEFFA notice.\r\nAnd more.  \r\n\r\n',
      'license.txt': 'The terms.',
      'license.js': 'code',
      'README.md': 'other',
      'dist/index.js.LICENSE.txt': 'What is inside.',
    };
    expect(textOf('several', { license: 'Apache-2.0', files })).toBe(
      'NOTICE:\n\nA notice.\nAnd more.\n\nlicense.txt:\n\nThe terms.\n\ndist/index.js.LICENSE.txt:\n\nWhat is inside.',
    );
  });

  test.each([
    ['MIT', 'Permission is hereby granted'],
    ['Apache-2.0', 'TERMS AND CONDITIONS FOR USE'],
  ])('is the standard text of %s with the author where it ships none', (license, terms) => {
    const text = textOf(`bare-${license}`, { license, author: 'Ada <ada@example.org>' });
    expect(text).toContain('ships no licence text');
    expect(text).toMatch(/Copyright (?:\(c\) )?Ada <ada@example\.org>/);
    expect(text).toContain(terms);
  });

  test.each([
    ['no-text', { license: 'ISC', author: 'Ada' }],
    ['no-author', { license: 'MIT' }],
    ['no-licence', { files: MIT.files }],
  ])('is required: %s is refused', (name, options) => {
    expect(() => textOf(name, options)).toThrow(`${name} 1.0.0`);
  });
});

describe('a licence', () => {
  test.each(['MIT', 'BSD-3-Clause', '(MIT OR GPL-3.0-or-later)', 'MIT AND ISC'])(
    '%s is allowed',
    (license) => {
      bundle([install(`with-${encodeURIComponent(license)}`, { ...MIT, license })]);
      expect(licenses.list()[0]?.license).toBe(license);
    },
  );

  test.each([
    'GPL-3.0-only',
    'MPL-2.0',
    'UNLICENSED',
    'SEE LICENSE IN file',
    'MIT AND LGPL-2.1',
    '(MIT AND (ISC OR GPL-2.0))',
    'GPL-2.0 WITH Classpath-exception-2.0',
    '',
  ])('"%s" is refused by the name of the package', (license) => {
    const name = `refused-${encodeURIComponent(license)}`;
    bundle([install(name, { ...MIT, license }), install('plain', MIT)]);
    expect(() => licenses.list()).toThrow(`${name} 1.0.0 (${license})`);
  });
});

describe('the file', () => {
  const read = (): string => readFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), 'utf8');

  test('lies beside our own licence, and is read back as it was written', async () => {
    const rule = `${'-'.repeat(80)}\nis no entry`;
    bundle([install('plain', MIT), install('ruled', { ...MIT, files: { LICENSE: rule } })]);
    await licenses.write(folder);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['LICENSE']));
    expect(read()).toMatch(/^the artefact contains the third-party software below/);
    expect(parseNotices(read())).toEqual(licenses.list());
  });

  test('is the same whatever the order of the modules, and holds the entries of a part', async () => {
    const [first, second] = [install('first', MIT), install('second', MIT)];
    bundle([second, first]);
    await licenses.write(folder);
    const once = read();
    licenses = new LicenseCollector({ artefact: 'the artefact', root: folder });
    bundle([first]);
    const part = new LicenseCollector({ artefact: 'a part', root: folder });
    part.addFile(second);
    await part.write(folder);
    licenses.addNotices(read());
    await licenses.write(folder);
    expect(read()).toBe(once);
  });

  test('says where there is no third-party software', async () => {
    await licenses.write(folder);
    expect(read()).toBe(
      'the artefact contains no third-party software. Its own licence is in the file LICENSE.\n',
    );
  });
});

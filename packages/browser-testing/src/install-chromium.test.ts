import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { provideBrowser } from './install-chromium.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-chromium-'));
  vi.stubEnv('CHROME_PATH', '');
  vi.stubEnv('PATH', folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

const writeProgram = (name: string, script: string) =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

const mayInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version');

test('a machine that has a browser is left as it is', () => {
  writeProgram('apt-get', `echo called > ${folder}/called`);
  writeProgram('chromium', 'exit 0');
  expect(provideBrowser()).toBe(join(folder, 'chromium'));
  expect(() => readFileSync(join(folder, 'called'))).toThrow();
});

test('root on Debian gets Chromium, everybody else one sentence', () => {
  const install = `case "$1" in install) echo '#!/bin/sh' > ${folder}/chromium; /bin/chmod 755 ${folder}/chromium;; esac`;
  writeProgram('apt-get', install);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  if (mayInstall) expect(provideBrowser()).toBe(join(folder, 'chromium'));
  vi.spyOn(process, 'getuid').mockReturnValue(1000);
  rmSync(join(folder, 'chromium'), { force: true });
  expect(() => provideBrowser()).toThrow(/^No browser found: install Chromium/);
});

test('a CHROME_PATH that names nothing installs nothing', () => {
  vi.stubEnv('CHROME_PATH', '/nowhere/chrome');
  expect(() => provideBrowser()).toThrow('CHROME_PATH names /nowhere/chrome');
});

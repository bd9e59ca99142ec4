import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { provideBrowser } from './install-chromium.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'install-chromium-'));
  vi.stubEnv('CHROME_PATH', '');
  vi.stubEnv('PATH', folder);
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
});
afterEach(() => rmSync(folder, { recursive: true }));

const writeProgram = (name: string, script: string) =>
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });

const hasPackage = process.platform === 'linux' && process.arch === 'x64';
const mayInstall = process.getuid?.() === 0 && existsSync('/etc/debian_version');

test('a machine that has a browser is left as it is', () => {
  writeProgram('apt-get', `echo called > ${folder}/called`);
  writeProgram('chromium', 'exit 0');
  expect(provideBrowser()).toBe(join(folder, 'chromium'));
  expect(() => readFileSync(join(folder, 'called'))).toThrow();
});

test.runIf(mayInstall)('root on Debian gets Debian’s Chromium', () => {
  const install = `case "$1" in install) echo '#!/bin/sh' > ${folder}/chromium; /bin/chmod 755 ${folder}/chromium;; esac`;
  writeProgram('apt-get', install);
  expect(provideBrowser()).toBe(join(folder, 'chromium'));
});

describe('a user who may not install packages', () => {
  beforeEach(() => void vi.spyOn(process, 'getuid').mockReturnValue(1000));

  test.runIf(hasPackage)('gets a Chromium of the package registry', () => {
    const packaged = join(folder, 'packaged');
    const module = join(packaged, 'node_modules/@sparticuz/chromium');
    const unpack = `import { writeFileSync } from 'node:fs';
export default { executablePath: () => writeFileSync(process.env.TMPDIR + '/chromium', '#!/bin/sh\\necho "$1"\\n', { mode: 0o755 }) };`;
    writeProgram(
      'npm',
      `/bin/mkdir -p ${module}
/bin/echo '{"exports":"./index.mjs"}' > ${module}/package.json
/bin/cat > ${module}/index.mjs <<'end'
${unpack}
end`,
    );
    const browser = provideBrowser(packaged);
    expect(browser).toBe(join(packaged, 'browser'));
    vi.unstubAllEnvs();
    expect(execFileSync(browser, ['started'], { encoding: 'utf8' })).toBe('started\n');
  });

  test('reads in one sentence what to install where that fails', () => {
    writeProgram('npm', 'exit 1');
    expect(() => provideBrowser(join(folder, 'packaged'))).toThrow(
      /^No browser found.*: install Chromium.*\.$/,
    );
  });
});

test('a CHROME_PATH that names nothing installs nothing', () => {
  vi.stubEnv('CHROME_PATH', '/nowhere/chrome');
  expect(() => provideBrowser()).toThrow('CHROME_PATH names /nowhere/chrome');
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

test('a data folder lets the user of PostgreSQL pass through where root made it, whatever the umask', () => {
  const base = mkdtempSync(join(tmpdir(), 'muster-umask-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const module = join(import.meta.dirname, 'data-folder.ts');
  const script = `import { makeDataDir } from '${module}'; await makeDataDir('${base}/a/b');`;
  const node = [process.execPath, '--input-type=module', '--eval', script];
  execFileSync('sh', ['-c', 'umask 077 && exec "$@"', 'sh', ...node]);
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  const modes = ['a', 'a/b'].map((name) => statSync(join(base, name)).mode & 0o777);
  expect(modes).toEqual([mode, mode]);
});

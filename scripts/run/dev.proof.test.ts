import { setTimeout as wait } from 'node:timers/promises';
import { findFreePort } from '@muster/database/testing';
import { expect, it } from 'vitest';
import { makeProofFolder, startService } from '../runtimes/service-process.ts';
import { checkSignIn, readCredentials } from '../runtimes/test/checks.ts';
import { ROOT } from '../setup/repository.mjs';

it('npm run dev serves pages on which the owner can sign in, and stops with one signal', async () => {
  const folder = makeProofFolder();
  const program = { command: process.execPath, args: ['scripts/run.mjs', 'dev'], cwd: ROOT };
  const { PATH = '', HOME = '' } = process.env;
  const port = String(await findFreePort());
  const service = await startService(program, { PATH, HOME, DATA_DIR: folder.dataDir, PORT: port });
  try {
    const findPages = () => /Sign in at (http:\S+)\/$/m.exec(service.errors())?.[1];
    await expect.poll(findPages).toBeDefined();
    const pages = { ...service, baseUrl: findPages() ?? '' };
    expect(await (await fetch(pages.baseUrl)).text()).toContain('/src/main.tsx');
    await checkSignIn(pages, readCredentials(service, 'output'));
    service.signal('SIGTERM');
    expect(await Promise.race([service.ended, wait(20_000, 'still running')])).not.toBe(
      'still running',
    );
    await expect.poll(() => fetch(pages.baseUrl).catch(() => 'closed')).toBe('closed');
  } finally {
    service.signalAll('SIGKILL');
    folder.remove();
  }
});

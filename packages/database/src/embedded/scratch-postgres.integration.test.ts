import { existsSync, mkdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeScratchFolder } from './scratch-postgres.ts';

/** Beyond the numbers that a process can have on Linux. */
const DEAD_PROCESS = 2 ** 30;

test.runIf(process.platform === 'linux')(
  'a new folder removes the folders of dead processes, and none that another container made',
  async () => {
    const namespace = Number(/\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0]);
    const [ours, foreign] = [namespace, namespace + 1].map((id) => {
      const folder = join(tmpdir(), `muster-scratch-${id}-${DEAD_PROCESS}-test`);
      mkdirSync(folder, { recursive: true });
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      return folder;
    });
    const made = await makeScratchFolder(tmpdir());
    onTestFinished(() => rmSync(made, { recursive: true }));
    expect(existsSync(`${ours}`)).toBe(false);
    expect(existsSync(`${foreign}`)).toBe(true);
  },
);

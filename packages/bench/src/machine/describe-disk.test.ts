import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describeDisk, findFileSystem } from './describe-disk.ts';

const MOUNTS = `/dev/vda / ext4 rw 0 0
tmpfs /tmp tmpfs rw 0 0
/dev/vdb /tmp/data xfs rw 0 0
overlay /tmp/data btrfs rw 0 0
`;

test('the deepest mount above a folder says on what it lies', () => {
  const found = ['/tmpfiles', '/tmp', '/tmp/other', '/tmp/data/17'].map((folder) =>
    findFileSystem(MOUNTS, folder),
  );
  expect(found).toEqual(['ext4', 'tmpfs', 'tmpfs', 'btrfs']);
  expect(findFileSystem('', '/tmp')).toBeUndefined();
});

test('a small write is flushed and timed, and leaves nothing behind', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'muster-bench-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { syncedWriteMs } = await describeDisk(folder);
  expect(syncedWriteMs).toBeGreaterThan(0);
  expect(await readdir(folder)).toEqual([]);
});

// The breaking changes of a release that were looked at and that no client can notice, each with the reason.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { Problem } from '../findings.ts';

const AcceptedChanges = z.array(
  z.strictObject({ change: z.string().min(1), reason: z.string().trim().min(1) }),
);
export type AcceptedChange = z.output<typeof AcceptedChanges>[number];

const FILE_NAME = 'accepted-changes.json';

/** Reads `file`; without one, the accepted changes beside the old contract, where it has some. Throws Problem. */
export const loadAcceptedChanges = async (
  file: string | undefined,
  oldContract: string,
): Promise<AcceptedChange[]> => {
  const isUrl = /^https?:\/\//i.test(oldContract);
  const path = file ?? (isUrl ? null : join(dirname(oldContract), FILE_NAME));
  if (path === null) return [];
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isAbsent && file === undefined) return '[]';
    throw new Problem(`${path}: the accepted changes cannot be read.`);
  });
  try {
    return AcceptedChanges.parse(JSON.parse(text));
  } catch {
    throw new Problem(
      `${path}: accepted changes are a JSON list of {"change": …, "reason": …}, each with a text.`,
    );
  }
};

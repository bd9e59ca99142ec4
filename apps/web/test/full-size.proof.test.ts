// Every browser test at full size: both colour schemes, phones, the longest lists.
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { describe } from 'vitest';
import { coverInFull } from './support/extent.ts';

coverInFull();

for (const path of globSync(`${import.meta.dirname}/*.browser.test.ts`)) {
  describe(basename(path), async () => {
    await import(path);
  });
}

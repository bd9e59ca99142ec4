// Stores screenshots as small files.
import { writeFile } from 'node:fs/promises';
import { expect } from 'vitest';
import type { Page } from '../support/web.ts';

/** README and guides load each file without a click. */
const MAX_BYTES = 120_000;
const QUALITY = 0.85;

/** Takes a screenshot of what the page shows, as WebP. */
export const savePicture = async (page: Page, file: string): Promise<void> => {
  await page.evaluate(() => document.fonts.ready);
  const shot = await page.screenshot({ animations: 'disabled' });
  const encoder = await page.context().newPage();
  const text = await encoder.evaluate(encode, { png: shot.toString('base64'), quality: QUALITY });
  await encoder.close();
  const bytes = Buffer.from(text, 'base64');
  expect(bytes.length).toBeLessThanOrEqual(MAX_BYTES);
  await writeFile(file, bytes);
};

/** Runs in a page. Returns base64. */
const encode = async ({ png, quality }: { png: string; quality: number }): Promise<string> => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = image.width;
  canvas.height = image.height;
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.toDataURL('image/webp', quality).split(',')[1] ?? '';
};

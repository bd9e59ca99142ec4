// Animated GIFs: screenshots of a page, step by step, below a caption.
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { decode } from 'fast-png';
import { encode } from 'modern-gif';
import type { Page } from '../support/web.ts';

export type Scheme = 'light' | 'dark';

type Step = {
  /** The caption, in one sentence. */
  says: string;
  /** The request, and its response after it has arrived. */
  request?: string;
  answer?: string;
  /** The control that is clicked next. The image marks it. */
  pointsAt?: ReturnType<Page['locator']>;
  seconds: number;
};

type Film = {
  shoot(step: Step): Promise<void>;
  /** Returns the bytes of the file. */
  save(file: string): Promise<number>;
};

/** The height of the caption in CSS pixels. */
const BAND_HEIGHT = 76;

/** Records the area right of the navigation, from the top of the page's content down to this height. */
export const openFilm = async (page: Page, scheme: Scheme, height: number): Promise<Film> => {
  const box = await page.locator('main').boundingBox();
  if (!box) throw new Error('The page has no content to film.');
  const clip = { x: box.x, y: box.y, width: Math.floor(box.width), height };
  const screen = await page.context().newPage();
  await screen.setViewportSize({ width: clip.width, height: height + BAND_HEIGHT });
  const frames: { data: Uint8ClampedArray<ArrayBuffer>; delay: number }[] = [];
  let size = { width: 0, height: 0 };

  const shoot = async (step: Step): Promise<void> => {
    await page.evaluate(() => document.fonts.ready);
    const shot = await page.screenshot({ clip, animations: 'disabled' });
    const target = await step.pointsAt?.boundingBox();
    const pointer = target && {
      x: target.x - clip.x + target.width / 2,
      y: target.y - clip.y + target.height / 2 + BAND_HEIGHT,
    };
    await screen.setContent(await compose(step, shot, clip.width, scheme, pointer));
    await screen.evaluate(() => document.fonts.ready);
    const { data, channels, width, height } = decode(await screen.screenshot());
    size = { width, height };
    frames.push({ data: toRgba(data, channels), delay: step.seconds * 1_000 });
  };

  const save = async (file: string): Promise<number> => {
    const bytes = new Uint8Array(await encode({ ...size, looped: true, frames }));
    await writeFile(file, bytes);
    await screen.close();
    return bytes.length;
  };
  return { shoot, save };
};

const toRgba = (data: ArrayLike<number>, channels: number): Uint8ClampedArray<ArrayBuffer> => {
  const pixels = data.length / channels;
  const rgba = new Uint8ClampedArray(pixels * 4).fill(255);
  for (let pixel = 0; pixel < pixels; pixel += 1) {
    for (let channel = 0; channel < 3; channel += 1) {
      rgba[pixel * 4 + channel] = data[pixel * channels + channel] ?? 0;
    }
  }
  return rgba;
};

/** The app's font, embedded because a page from a string cannot load it from the service. */
const FONT = createRequire(import.meta.url).resolve(
  '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
);

const POINTER =
  '<svg width="24" height="24" viewBox="0 0 24 24"><path d="M5 2v18l5-5 3 7 3-1-3-7h7z" fill="#000" stroke="#fff" stroke-width="1.5"/></svg>';

const compose = async (
  { says, request = '', answer = '' }: Step,
  shot: Buffer,
  width: number,
  scheme: Scheme,
  pointer: { x: number; y: number } | null | undefined,
): Promise<string> => {
  const font = (await readFile(FONT)).toString('base64');
  const [paper, ink] = scheme === 'light' ? ['#0f3d3a', '#ffffff'] : ['#0b2b29', '#e8f3f1'];
  const arrow = pointer ? `<i style="left:${pointer.x}px;top:${pointer.y}px">${POINTER}</i>` : '';
  return `<!doctype html><style>
    @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${font}) }
    body { margin: 0; font: 600 17px/24px Inter; background: ${paper}; color: ${ink} }
    header { box-sizing: border-box; height: ${BAND_HEIGHT}px; padding: 12px 20px; white-space: nowrap; overflow: hidden }
    code { font: 13px/26px monospace; opacity: .9 } b { color: #7ee2b8 } img { display: block } i { position: absolute }
  </style><header>${escapeHtml(says)}<br><code>${escapeHtml(request)}</code> <code><b>${escapeHtml(answer)}</b></code></header>
  <img width="${width}" src="data:image/png;base64,${shot.toString('base64')}">${arrow}`;
};

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

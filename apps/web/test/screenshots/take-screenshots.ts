// node scripts/run.mjs screenshots: takes the screenshots of README and docs from the current app with demo data.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { Page, PageOptions } from '../support/web.ts';
import { PHONE, startOwnWeb } from '../support/web.ts';
import { savePicture } from './save-picture.ts';

const FOLDER = join(import.meta.dirname, '../../../../docs/images');
const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;

/** Each screenshot is taken in each of these. */
const LOOKS = [
  ['', { ...DESKTOP, colorScheme: 'light' }],
  ['-dark', { ...DESKTOP, colorScheme: 'dark' }],
  ['-phone', { ...PHONE, colorScheme: 'light' }],
] as const;

type Shot = {
  /** The file in docs/images, without its extension. */
  name: string;
  path: string;
  /** Prepares the state that the screenshot shows. */
  prepare: (page: Page) => Promise<void>;
};

const web = startOwnWeb(() => ({ demoData: true }));
beforeAll(() => mkdir(FOLDER, { recursive: true }));

test('takes every screenshot', async () => {
  await requireGlyphs();
  const sandboxId = await findSandbox('Development');
  const shots = await listShots(sandboxId);
  for (const shot of shots) {
    for (const [suffix, options] of LOOKS) {
      await take(shot, join(FOLDER, `${shot.name}${suffix}.webp`), options);
    }
  }
});

/** The demo data has names in many scripts. Without a font for them, the screenshots would show boxes. */
const requireGlyphs = async (): Promise<void> => {
  const page = await web.open('/login');
  const hasGlyphs = await page.evaluate(() => {
    const draw = (text: string): string => {
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d');
      if (context) context.font = '32px sans-serif';
      context?.fillText(text, 4, 40);
      return canvas.toDataURL();
    };
    // Glyphs that no font has are all rendered as the same box.
    return draw('霜') !== draw('剣');
  });
  await page.context().close();
  if (!hasGlyphs)
    throw new Error('No font for CJK: install one, such as fonts-noto-cjk of Debian.');
};

const take = async ({ path, prepare }: Shot, file: string, options: PageOptions): Promise<void> => {
  const page = await web.open(path, { as: 'owner', ...options });
  await prepare(page);
  await savePicture(page, file);
  await page.context().close();
};

const findSandbox = async (name: string): Promise<string> => {
  const page = await web.open('/', { as: 'owner' });
  await page.waitForURL(/\/s\//);
  const answer = await page.request.get('/admin/trpc/sandboxes.list?input={}');
  const { sandboxes } = (await answer.json()).result.data;
  const found = sandboxes.find((sandbox: { name: string }) => sandbox.name === name);
  await page.context().close();
  return found.sandbox_id;
};

const listShots = async (sandboxId: string): Promise<Shot[]> => {
  const session = await findFullestSession();
  return [
    {
      name: 'overview',
      path: `/s/${sandboxId}`,
      prepare: async (page) => {
        await page.getByText('Recent edits').waitFor();
        await page.waitForLoadState('networkidle');
      },
    },
    {
      name: 'history',
      path: `/s/${sandboxId}/history?operation=update&kind=item`,
      prepare: async (page) => {
        await page.locator('tbody tr[data-index="2"] a').first().click();
        await page.getByRole('dialog').getByRole('columnheader', { name: 'Before' }).waitFor();
        await page.waitForLoadState('networkidle');
      },
    },
    {
      name: 'session',
      path: `/sessions/${encodeURIComponent(session.type)}/${encodeURIComponent(session.session_id)}`,
      prepare: async (page) => {
        await page.getByText('leader').first().waitFor();
        const invite = page.getByRole('button', { name: /^Invite to team/ }).first();
        await expect.poll(() => invite.isEnabled()).toBe(true);
      },
    },
  ];
};

type Team = { max_size: number; players?: unknown[] };
type Listed = { session: { type: string; session_id: string; teams: Team[] }; seats: number };

const hasRoom = ({ max_size, players = [] }: Team): boolean => players.length < max_size;

/** The fullest session with several teams and a free seat in each, so that its board shows players and Invite buttons. */
const findFullestSession = async (): Promise<Listed['session']> => {
  const page = await web.open('/sessions', { as: 'owner' });
  const answer = await page.request.get(
    `/admin/trpc/sessions.list?input=${encodeURIComponent('{"page_size":200}')}`,
  );
  const { sessions } = (await answer.json()).result.data as { sessions: Listed[] };
  await page.context().close();
  const [fullest] = sessions
    .filter(({ session: { teams } }) => teams.length === 2 && teams.every(hasRoom))
    .toSorted((a, b) => b.seats - a.seats);
  if (!fullest) throw new Error('The demo data has no session.');
  return fullest.session;
};

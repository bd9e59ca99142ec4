// node scripts/run.mjs screenshots: records the animations of the README from real requests and pages.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { addPerson, callAs } from '@muster/browser-testing';
import { expect, test } from 'vitest';
import { pathOf, registerPlayer, requestJoin } from '../support/sessions.ts';
import type { PageOptions } from '../support/web.ts';
import { startOwnWeb } from '../support/web.ts';
import type { Scheme } from './film.ts';
import { openFilm } from './film.ts';

const FOLDER = join(import.meta.dirname, '../../../../docs/images');
/** The maximum file size, because the README loads each file without a click. */
const MAX_BYTES = 1_000_000;

const web = startOwnWeb();

const LOOKS = [
  { scheme: 'light', suffix: '' },
  { scheme: 'dark', suffix: '-dark' },
] as const;

const open = (path: string, scheme: Scheme, options: PageOptions) =>
  web.open(path, { deviceScaleFactor: 2, colorScheme: scheme, ...options });

test.each(LOOKS)(
  'the film of joins: four seats, five requests, a race ($scheme)',
  async ({ scheme, suffix }) => {
    const toId = (name: string) => Buffer.from(`${name}-${scheme}`).toString('base64url');
    const ids = { Steam: toId('lobby'), XboxLive: toId('party'), PSN: toId('match') };
    const { session } = await web.call<{ session: { type: string; session_id: string } }>(
      'sessions.create',
      {
        type: 'duel',
        session_id: randomUUID(),
        teams: [{ max_size: 2 }, { max_size: 2 }],
        platform_session: Object.entries(ids).map(([platform, platform_session_id_base64]) => ({
          platform,
          platform_session_type: 'lobby',
          platform_session_id_base64,
        })),
      },
    );
    const page = await open(pathOf({ ...session, platformSessionId: ids.Steam }), scheme, {
      as: 'owner',
      viewport: { width: 1_120, height: 900 },
    });
    const film = await openFilm(page, scheme, 560);
    await page.getByRole('region', { name: 'Team 1' }).getByText('0 of 2 seats').waitFor();
    await film.shoot({
      says: 'One session. Steam, Xbox and PlayStation each know it by an id of their own.',
      seconds: 3,
    });

    const sit = async (says: string, name: string, platform: keyof typeof ids, team_id: number) => {
      const player = await registerPlayer(web, name);
      const request = `POST …/platform/${platform}/platform-session/${ids[platform]}/player/${player.slice(0, 8)}…`;
      await film.shoot({ says, request, seconds: 1.4 });
      const send = () =>
        requestJoin(web, { platform, platformSessionId: ids[platform] }, player, {
          team_id,
          client_settings: { platform, input: 'gamepad' },
        });
      const { status, headers } = await send();
      expect(status).toBe(200);
      await page.getByRole('link', { name }).first().waitFor();
      const answer = `${status}  ETag ${headers.get('etag')}`;
      await film.shoot({ says, request, answer, seconds: 1.8 });
      return { send, request, answer };
    };
    const ada = await sit(
      'Ada joins with the id that her Steam invitation carries.',
      'Ada',
      'Steam',
      0,
    );
    await sit('Bruno joins from an Xbox, with the id that Xbox gave him.', 'Bruno', 'XboxLive', 1);
    const chiyo = await sit('Chiyo joins from a PlayStation.', 'Chiyo', 'PSN', 0);
    const again = await chiyo.send();
    expect(`${again.status}  ETag ${again.headers.get('etag')}`).toBe(chiyo.answer);
    await film.shoot({
      says: 'The answer was lost, the client asks again: same seat, same ETag, nothing written.',
      request: chiyo.request,
      answer: chiyo.answer,
      seconds: 3,
    });

    const racers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => registerPlayer(web, `Racer ${index + 1}`)),
    );
    const says = 'Twenty players race for the last seat: exactly one gets it.';
    const request = `20 × ${ada.request.replace(/[^/]*$/, '…')}`;
    await film.shoot({ says, request, seconds: 1.6 });
    const target = { platform: 'Steam', platformSessionId: ids.Steam };
    const answers = await Promise.all(
      racers.map((player) => requestJoin(web, target, player, { team_id: 1 })),
    );
    const refused = answers.filter(({ status }) => status === 409);
    expect([answers.filter(({ ok }) => ok).length, refused.length]).toEqual([1, 19]);
    const codes = await Promise.all(
      refused.map(async (refusal) => ((await refusal.json()) as { error_code: string }).error_code),
    );
    expect(new Set(codes).size).toBe(1);
    await page.getByRole('region', { name: 'Team 1' }).getByText('2 of 2 seats').waitFor();
    const answer = `1 × 200, 19 × 409 ${codes[0]}`;
    await film.shoot({ says, request, answer, seconds: 4 });
    expect(await film.save(join(FOLDER, `join${suffix}.gif`))).toBeLessThan(MAX_BYTES);
  },
);

test.each(LOOKS)(
  'the film of a merge: two people save one Item, and both edits stay ($scheme)',
  async ({ scheme, suffix }) => {
    const { sandbox_id } = await web.call<{ sandbox_id: string }>('sandboxes.create', {
      name: `Season 4 ${scheme}`,
    });
    const [ada, bruno] = [await addEditor('Ada', scheme), await addEditor('Bruno', scheme)];
    const asBruno = await callAs(web.baseUrl, bruno);
    const item = {
      sandbox_id,
      name: 'Iron Sword',
      custom_data: { rarity: 'common', damage: '12' },
    };
    const { item_id } = await asBruno<{ item_id: string }>('items.create', {
      ...item,
      item_type: 'unit',
    });
    const page = await open(`/s/${sandbox_id}/items/${item_id}`, scheme, {
      as: ada,
      expectedErrors: [/status of 409/],
      // Wide enough for the dialog's edge to align with the navigation's edge.
      viewport: { width: 1_260, height: 760 },
    });
    const film = await openFilm(page, scheme, 700);
    await film.shoot({ says: 'Ada edits the Item "Iron Sword" …', seconds: 2 });
    await page.getByLabel('Name').fill('Steel Sword');
    await page.getByLabel('Value of damage').fill('15');
    await page.getByLabel('Reason').fill('Stronger after the playtest');
    await film.shoot({ says: '… renames it and raises its damage.', seconds: 2.4 });

    const theirs = { name: 'Damascus Sword', custom_data: { rarity: 'rare', damage: '12' } };
    await asBruno('items.update', { sandbox_id, item_id, expected_version: 1, ...theirs });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await film.shoot({
      says: 'Bruno saves another name first, and makes it rare. Now Ada saves.',
      pointsAt: save,
      seconds: 2.6,
    });
    await save.click();
    const dialog = page.getByRole('dialog', { name: 'Someone else changed this record' });
    await dialog.getByText('Bruno changed the same fields').waitFor();
    const mine = dialog.getByRole('radio', { name: /^Mine/ });
    const says = 'Nothing is overwritten. Both changed the name: she decides.';
    await film.shoot({ says, seconds: 2.4 });
    await film.shoot({ says, pointsAt: mine, seconds: 1 });
    await mine.click();
    const go = dialog.getByRole('button', { name: 'Continue with this' });
    await film.shoot({
      says: 'Changes that only one of them made are kept.',
      pointsAt: go,
      seconds: 3,
    });
    await go.click();
    await dialog.waitFor({ state: 'detached' });
    await save.click();
    await page.getByText('Saved as version 3.').waitFor();
    await page.getByLabel('Name').scrollIntoViewIfNeeded();
    await film.shoot({ says: 'Her name, her damage and his rarity are version 3.', seconds: 3 });
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByRole('row', { name: /Stronger after the playtest/ }).waitFor();
    await film.shoot({
      says: 'Three versions: who, when, why. Each can be compared and restored.',
      seconds: 4,
    });
    expect(await film.save(join(FOLDER, `merge${suffix}.gif`))).toBeLessThan(MAX_BYTES);
  },
);

const addEditor = (name: string, scheme: Scheme) =>
  addPerson(web.call, {
    name,
    email: `${name}-${scheme}@example.com`.toLowerCase(),
    role: 'editor',
    password: 'a long password of the films',
  });

// Import files, and the steps of an import in the page.
import type { Page } from './web.ts';

export const importOf = ({ sandbox_id }: { sandbox_id: string }, search = '') =>
  `/s/${sandbox_id}/import${search}`;

export const choose = (page: Page, name: string, text: string | Buffer) =>
  page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

export const check = (page: Page) =>
  page
    .getByRole('button', { name: /^Check( again)?$/ })
    .first()
    .click();

export const uuid = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

export const manyItems = (count: number): string =>
  [
    'item_id,name,item_type,tags',
    ...Array.from({ length: count }, (_, at) => `${uuid(at)},Sword ${at + 1},unit,"[""melee""]"`),
  ].join('\n');

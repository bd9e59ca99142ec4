// Requests with long targets or many headers, many at once: they are answered one after the other, and nobody else waits for them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ITEMS } from '../public-client.ts';
import type { TestService } from '../test-service.ts';
import { startTestService } from '../test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const COUNT = 60;

test.each([
  ['a long query', `${ITEMS}?name=${'x'.repeat(9_000)}`, {}],
  ['a long token', ITEMS, { authorization: `Bearer ${'x'.repeat(9_000)}` }],
  [
    'many headers',
    ITEMS,
    Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`x-${at}`, '1'])),
  ],
])(
  'many requests with %s are all answered, and a usual one overtakes them',
  async (_what, path, own) => {
    const authorization = (await service.headers()).authorization ?? '';
    const ask = (target: string, headers: Record<string, string> = {}) =>
      fetch(service.baseUrl + target, { headers: { authorization, ...headers } });
    // Connections and statements are there before anything is compared.
    await Promise.all(Array.from({ length: COUNT + 1 }, () => ask(ITEMS)));

    const answered: string[] = [];
    const long = Array.from({ length: COUNT }, async () => {
      const { status } = await ask(path, own);
      answered.push('long');
      return status;
    });
    const usual = ask(ITEMS).then(() => answered.push('usual'));
    const statuses = await Promise.all(long);
    await usual;
    expect(answered).toHaveLength(COUNT + 1);
    expect(answered.indexOf('usual')).toBeLessThan(COUNT / 2);
    // A busy machine turns some of them away.
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
  },
);

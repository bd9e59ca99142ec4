import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TestService } from '../../../test/test-service.ts';
import { startTestService } from '../../../test/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service.baseUrl + path, { headers });

/** As a browser does: by itself, `fetch` would add `no-cache` to a header that it was given. */
const revalidate = (path: string, etag: string) =>
  get(path, { 'if-none-match': etag, 'cache-control': 'max-age=0' });

const DOCUMENTS = ['openapi.json', 'openapi-3.0.json', 'openapi-companion.json'];
const PATHS = [...DOCUMENTS.map((name) => `/${name}`), '/docs', '/docs/assets/docs.js'];

const findLibraryScript = async (): Promise<string> => {
  const page = await (await get('/docs')).text();
  return /src="(\S+swagger-ui-bundle\.js)"/.exec(page)?.[1] ?? '';
};

describe('the documents', () => {
  test.each(DOCUMENTS)('%s is the committed one', async (name) => {
    const answer = await get(`/${name}`);
    const committed = new URL(`../../../../../contracts/${name}`, import.meta.url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.text()).toBe(readFileSync(committed, 'utf8'));
  });
});

describe('every part', () => {
  test('needs no credential and is validated by its ETag', async () => {
    for (const path of PATHS) {
      const answer = await get(path);
      expect([path, answer.status]).toEqual([path, 200]);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      const etag = answer.headers.get('etag') ?? '';
      expect((await revalidate(path, etag)).status).toBe(304);
      expect((await revalidate(path, '"another"')).status).toBe(200);
    }
  });

  test('comes compressed to those who can read that, and plain to others', async () => {
    const read = async (encoding: string) => {
      const answer = await get('/docs', { 'accept-encoding': encoding });
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      return [answer.headers.get('content-encoding'), await answer.text()];
    };
    const [plain, text] = await read('identity');
    expect(plain).toBeNull();
    expect(await read('gzip')).toEqual(['gzip', text]);
    // A list that takes long to read is not read.
    expect(await read(`gzip,${'a,'.repeat(5_000)}`)).toEqual([null, text]);
  });

  test('answers GET and HEAD only', async () => {
    for (const path of PATHS) {
      const posted = await fetch(service.baseUrl + path, { method: 'POST' });
      expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
      const head = await fetch(service.baseUrl + path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    }
  });
});

describe('the page', () => {
  test('allows scripts, styles and requests of this service only', async () => {
    const policy = (await get('/docs')).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(policy).not.toContain('http');
  });

  test("keeps the library's files for ever under a path that names their version", async () => {
    const path = await findLibraryScript();
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test('does not pass one version of the library off as another', async () => {
    const path = (await findLibraryScript()).replace(/\d+\.\d+\.\d+/, '0.0.1');
    const answer = await get(path);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});

// A page of another site cannot use the browser of a signed-in person.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SignedInPerson, TestService } from '../../../test/test-service.ts';
import { startTestService } from '../../../test/test-service.ts';

let service: TestService;
let owner: SignedInPerson;
beforeAll(async () => {
  service = await startTestService();
  owner = await service.createPerson({ role: 'owner' });
});
afterAll(() => service.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const send = (path: string, headers: Record<string, string>, body = '{"name":"made"}') =>
  fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { cookie: owner.cookie, ...headers },
    body,
  });
const readCode = async (response: Response): Promise<string> => {
  const text = await response.text();
  return /"error_code":"([a-z_]+)"/.exec(text)?.[1] ?? text;
};
const CREATE = '/admin/trpc/sandboxes.create';
const countSandboxes = () => service.database.prisma.sandbox.count();

/** Origins that are not the service's own, each as a browser could send it. */
const foreign = (): Record<string, string | undefined> => ({
  'another site': 'https://evil.example',
  'a page without an origin': 'null',
  'another port of this machine': 'http://127.0.0.1:1',
  'another scheme': service.baseUrl.replace('http:', 'https:'),
  'a name that begins alike': `${service.baseUrl}.evil.example`,
  'no origin at all': undefined,
});

describe('with the cookie of a signed-in person', () => {
  it('a change from a page of this service is made', async () => {
    const answer = await send(CREATE, { ...JSON_TYPE, origin: service.baseUrl });
    expect(answer.status).toBe(200);
  });

  it('a change from anywhere else is refused', async () => {
    const before = await countSandboxes();
    for (const [name, origin] of Object.entries(foreign())) {
      const answer = await send(CREATE, { ...JSON_TYPE, ...(origin && { origin }) });
      expect([name, answer.status, await readCode(answer)]).toEqual([name, 403, 'origin_refused']);
    }
    expect(await countSandboxes()).toBe(before);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a body of the type %s, which forms can send, changes nothing',
    async (type) => {
      const before = await countSandboxes();
      const headers = { 'content-type': type, origin: service.baseUrl };
      const answer = await send(CREATE, headers);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(await countSandboxes()).toBe(before);
      const sandboxId = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11';
      const paths = [`/admin/import/${sandboxId}/item`, CREATE, '/admin/auth/sign-out'];
      for (const path of paths) {
        for (const body of ['{"name":"made"}\n', '']) {
          const { status } = await send(path, headers, body);
          expect([path, body, status >= 400 && status !== 404]).toEqual([path, body, true]);
        }
      }
      const me = await fetch(`${service.baseUrl}/admin/trpc/me.get`, {
        headers: { cookie: owner.cookie },
      });
      expect(me.status).toBe(200);
    },
  );

  it('a link or an image changes nothing: mutations do not answer GET', async () => {
    const before = await countSandboxes();
    const input = encodeURIComponent('{"name":"made"}');
    const answer = await fetch(`${service.baseUrl}${CREATE}?input=${input}`, {
      headers: { cookie: owner.cookie },
    });
    expect(answer.status).toBe(405);
    expect(await countSandboxes()).toBe(before);
  });

  it('a header that overrides the method is ignored', async () => {
    const headers = { 'x-http-method-override': 'POST', cookie: owner.cookie };
    const input = encodeURIComponent('{"name":"made"}');
    const url = `${service.baseUrl}${CREATE}?input=${input}&_method=POST`;
    expect((await fetch(url, { headers })).status).toBe(405);
  });

  it('signing out and changing the password are refused alike', async () => {
    for (const path of ['/sign-out', '/change-password', '/two-factor/disable']) {
      const answer = await send(`/admin/auth${path}`, {
        ...JSON_TYPE,
        origin: 'https://evil.example',
      });
      expect([path, await readCode(answer)]).toEqual([path, 'origin_refused']);
    }
  });

  it('no answer lets a page of another site read it', async () => {
    const headers = { cookie: owner.cookie, origin: 'https://evil.example' };
    const answer = await fetch(`${service.baseUrl}/admin/trpc/me.get`, { headers });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    const preflight = await fetch(`${service.baseUrl}${CREATE}`, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(405);
  });
});

describe('without a cookie', () => {
  it('another site cannot sign a browser in to another account', async () => {
    const body = JSON.stringify({ email: owner.email, password: owner.password });
    for (const [name, origin] of Object.entries(foreign())) {
      const headers = { ...JSON_TYPE, cookie: '', ...(origin && { origin }) };
      const answer = await send('/admin/auth/sign-in/email', headers, body);
      expect([name, answer.headers.getSetCookie()]).toEqual([name, []]);
      expect([name, await readCode(answer)]).toEqual([name, 'origin_refused']);
    }
    const plain = { 'content-type': 'text/plain', cookie: '', origin: service.baseUrl };
    const answer = await send('/admin/auth/sign-in/email', plain, body);
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([415, []]);
  });

  it('a bearer credential needs no origin, since browsers never add it to a request', async () => {
    const headers = { ...(await service.headers()), cookie: '' };
    expect((await send(CREATE, headers)).status).toBe(200);
  });
});

describe('the public endpoints', () => {
  it('refuse a cookie, also from a page of this service', async () => {
    const path = '/session/v1/platform/Steam/platform-session/YQ/player/self';
    const join = await send(path, { ...JSON_TYPE, origin: service.baseUrl });
    expect([join.status, await readCode(join)]).toEqual([403, 'auth_missing']);
    const sandboxId = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11';
    const history = await fetch(`${service.baseUrl}/v1/history/sandbox/${sandboxId}/item/`, {
      headers: { cookie: owner.cookie },
    });
    expect([history.status, await readCode(history)]).toEqual([403, 'auth_missing']);
  });
});

describe('a place to return to after signing in', () => {
  it('is never taken from the request of a sign-in', async () => {
    const { email, password } = owner;
    const body = JSON.stringify({ email, password, callbackURL: 'https://evil.example/' });
    const headers = { ...JSON_TYPE, cookie: '', origin: service.baseUrl };
    const answer = await send('/admin/auth/sign-in/email', headers, body);
    expect([answer.status, answer.headers.get('location')]).toEqual([200, null]);
    expect(await answer.text()).not.toContain('evil');
  });

  it.each([
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
    'evil.example',
    '',
  ])('%j is not one of this service', async (callbackURL) => {
    const headers = { ...JSON_TYPE, cookie: '', origin: service.baseUrl };
    const path = '/admin/auth/sign-in/social';
    const answer = await send(path, headers, JSON.stringify({ callbackURL }));
    expect([answer.status, await readCode(answer)]).toEqual([400, 'input_invalid']);
  });
});

describe('behind a proxy', () => {
  it('the origin is the one of PUBLIC_URL, whatever the proxy calls this host', async () => {
    const proxied = await startTestService({
      env: { PUBLIC_URL: 'https://muster.example', TRUST_PROXY: '0' },
    });
    const signIn = (origin: string) =>
      fetch(`${proxied.baseUrl}/admin/auth/sign-in/email`, {
        method: 'POST',
        headers: { ...JSON_TYPE, origin },
        body: JSON.stringify({ email: 'a@muster.example', password: 'x' }),
      });
    expect(await readCode(await signIn('https://muster.example'))).toBe('sign_in_refused');
    const refused = await signIn(proxied.baseUrl);
    expect(await refused.text()).toContain('https://muster.example (PUBLIC_URL)');
    await proxied.close();
  });

  it('the address is the one that the proxy names, where a proxy is trusted', async () => {
    const addressAfterSignIn = async (env: Record<string, string>) => {
      const proxied = await startTestService({ env });
      const response = await fetch(`${proxied.baseUrl}/admin/auth/sign-in/email`, {
        method: 'POST',
        headers: { ...JSON_TYPE, origin: proxied.baseUrl, 'x-forwarded-for': '203.0.113.9' },
        body: JSON.stringify({ email: 'a@muster.example', password: 'x' }),
      });
      expect(response.status).toBe(403);
      const record = await proxied.database.prisma.auditRecord.findFirst();
      await proxied.close();
      return record?.address;
    };
    expect(await addressAfterSignIn({ TRUST_PROXY: '1' })).toBe('203.0.113.9');
    expect(await addressAfterSignIn({ TRUST_PROXY: '0' })).toBe('127.0.0.1');
    expect(await addressAfterSignIn({})).toBe('127.0.0.1');
  });
});

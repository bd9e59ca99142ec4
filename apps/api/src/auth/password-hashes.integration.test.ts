import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { readCookies, startTestService } from '../../test/test-service.ts';

const { scrypt } = crypto;
const hashing = { calls: 0, running: 0, most: 0 };

/** Counts the hashes from their beginning to their end. */
const counted: typeof scrypt = (...parameters: unknown[]) => {
  const done = parameters.pop() as (...result: unknown[]) => void;
  hashing.calls += 1;
  hashing.running += 1;
  hashing.most = Math.max(hashing.most, hashing.running);
  Reflect.apply(scrypt, crypto, [
    ...parameters,
    (...result: unknown[]) => {
      hashing.running -= 1;
      done(...result);
    },
  ]);
};

/** What has imported the function by its name calls the given one from now on. */
const replaceScrypt = (replacement: typeof scrypt) => {
  crypto.scrypt = replacement;
  syncBuiltinESMExports();
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  replaceScrypt(counted);
});
afterAll(async () => {
  replaceScrypt(scrypt);
  await service.close();
});

const post = (path: string, body: unknown, cookie = '') =>
  fetch(`${service.baseUrl}/admin/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: service.baseUrl, cookie },
    body: JSON.stringify(body),
  });

it('hashes one password at a time, however many people sign in and change theirs', async () => {
  const { email, password } = await service.createPerson({ role: 'viewer' });
  const signIn = () => post('/sign-in/email', { email, password });
  const cookie = readCookies(await signIn());
  Object.assign(hashing, { calls: 0, most: 0 });
  const change = () => post('/two-factor/enable', { password }, cookie);
  const answers = await Promise.all(Array.from({ length: 5 }, () => [signIn(), change()]).flat());
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
  expect(hashing.calls).toBeGreaterThanOrEqual(10);
  expect(hashing.most).toBe(1);
});

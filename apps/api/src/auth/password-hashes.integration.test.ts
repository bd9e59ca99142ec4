import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { TestService } from '../../test/test-service.ts';
import { readCookies, startTestService } from '../../test/test-service.ts';

const hashing = vi.hoisted(() => ({ calls: 0, running: 0, most: 0 }));
// From its beginning to its end, each.
vi.mock('@better-auth/utils/password', async (importOriginal) => {
  const original = await importOriginal<typeof import('@better-auth/utils/password')>();
  const count =
    <Input extends unknown[], Result>(work: (...input: Input) => Promise<Result>) =>
    async (...input: Input): Promise<Result> => {
      hashing.calls += 1;
      hashing.running += 1;
      hashing.most = Math.max(hashing.most, hashing.running);
      return work(...input).finally(() => {
        hashing.running -= 1;
      });
    };
  return {
    hashPassword: count(original.hashPassword),
    verifyPassword: count(original.verifyPassword),
  };
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

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

import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postAuth } from '../../test/auth-calls.ts';
import type { TestService } from '../../test/test-service.ts';
import { readCookies, startTestService } from '../../test/test-service.ts';

const { scrypt } = crypto;
const hashing = { calls: 0, running: 0, most: 0 };

/** Counts hashes when they start and end. */
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

/** Modules that imported the function by its name call the given one from now on. */
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
  postAuth(service.baseUrl, path, body, { cookie });

it('hashes one password at a time when many people sign in and change theirs', async () => {
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

it('lets people who have signed in from an address sign in while strangers use every slot', async () => {
  const known = await service.createPerson({ role: 'viewer' });
  const newcomer = await service.createPerson({ role: 'viewer' });
  const signIn = ({ email, password }: { email: string; password: string }) =>
    post('/sign-in/email', { email, password });
  // createPerson has signed in every person.
  await service.database.prisma.accountThrottle.deleteMany({
    where: { key: { startsWith: 'signed-in:', endsWith: newcomer.accountId } },
  });
  const released = Promise.withResolvers<void>();
  const started = Promise.withResolvers<void>();
  let hash: Promise<unknown[]> | undefined;
  /** Hashes nothing before it is released, and then only once, for the known person. */
  const held: typeof scrypt = async (...parameters: unknown[]) => {
    const done = parameters.pop() as (...result: unknown[]) => void;
    started.resolve();
    await released.promise;
    const [password, , length] = parameters;
    if (password !== known.password) return done(null, Buffer.alloc(Number(length)));
    hash ??= new Promise((resolve) =>
      Reflect.apply(scrypt, crypto, [...parameters, (...result: unknown[]) => resolve(result)]),
    );
    done(...(await hash));
  };
  replaceScrypt(held);
  try {
    const strangers = Array.from({ length: 20 }, () =>
      signIn({ email: `${crypto.randomUUID()}@muster.example`, password: 'wrong wrong wrong' }),
    );
    await started.promise;
    // Attempts beyond the slots are answered while the others wait for the hash.
    const { status } = await Promise.any(strangers);
    expect(status).toBe(503);
    expect((await signIn(newcomer)).status).toBe(503);
    const own = Array.from({ length: 18 }, () => signIn(known));
    expect((await Promise.any(own)).status).toBe(503);
    released.resolve();
    const statuses = await Promise.all(
      [...own, ...strangers].map(async (each) => (await each).status),
    );
    expect(statuses.slice(0, 18).toSorted()).toEqual([...Array(16).fill(200), 503, 503]);
    expect(statuses.slice(18).toSorted()).toEqual([...Array(16).fill(403), ...Array(4).fill(503)]);
  } finally {
    released.resolve();
    replaceScrypt(counted);
  }
});

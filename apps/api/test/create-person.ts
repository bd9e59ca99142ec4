// Makes people who can sign in, for tests: in the browser with e-mail and password, elsewhere with the cookie.
import type { Role } from '@muster/contract';
import type { Database } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { hashPassword } from '../src/accounts/people/passwords.ts';
import { insertPerson } from '../src/accounts/people/person-store.ts';
import { noteSecrets } from './suite-logs/suite-logs.ts';

export type TestPerson = {
  role: Role;
  /** Absent: every sandbox. */
  sandboxIds?: string[];
  name?: string;
  /** As after a one-time password. */
  mustChangePassword?: boolean;
};

export type SignedInPerson = {
  accountId: string;
  email: string;
  password: string;
  /** The value of a Cookie header; requests that change something need an Origin, too. */
  cookie: string;
};

const PASSWORD = 'a password that only tests use';
let hash: Promise<string> | undefined;
let made = 0;

/** Puts a person into the database and signs them in over HTTP. The password is the same for all. */
export const createPerson = async (
  { baseUrl, database }: { baseUrl: string; database: Pick<Database, 'prisma'> },
  { role, sandboxIds, name = `The ${role}`, mustChangePassword = false }: TestPerson,
): Promise<SignedInPerson> => {
  hash ??= hashPassword(PASSWORD);
  const accountId = uuidv7();
  made += 1;
  const email = `${role}-${made}@muster.example`;
  await insertPerson(database.prisma, {
    ...{ accountId, name, email, role, mustChangePassword },
    ...{ passwordHash: await hash, now: new Date() },
    ...(sandboxIds && { sandboxIds }),
  });
  const cookie = await signIn(baseUrl, email, PASSWORD);
  return { accountId, email, password: PASSWORD, cookie };
};

/** The cookies of a sign-in. Throws when it is refused. */
export const signIn = async (baseUrl: string, email: string, password: string): Promise<string> => {
  const response = await fetch(`${baseUrl}/admin/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`The sign-in was refused: ${await response.text()}`);
  const cookies = readCookies(response);
  noteSecrets(password, ...cookies.split('; ').map((cookie) => cookie.split('=')[1]));
  return cookies;
};

/** The cookies of an answer, as a browser would send them back. */
export const readCookies = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');

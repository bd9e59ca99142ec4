// People for the tests, each with an address of its own.
import type { Person } from '@muster/browser-testing';
import { addPerson } from '@muster/browser-testing';
import type { Role } from '@muster/contract';
import type { Service } from './start-service.ts';

const PASSWORD = 'a long password of the web tests';

let count = 0;

/** Without `sandboxIds` the role reaches every sandbox. */
export const makePerson = (
  { call }: Service,
  role: Role,
  sandboxIds?: readonly string[],
): Promise<Person> => {
  count += 1;
  const email = `${role}-${count}@example.com`;
  const name = `${role[0]?.toUpperCase()}${role.slice(1)} ${count}`;
  return addPerson(call, { ...{ email, password: PASSWORD, name, role }, sandboxIds });
};

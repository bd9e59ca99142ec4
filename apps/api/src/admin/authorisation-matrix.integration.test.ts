// Every procedure × every role × no credential × a password that must be changed: generated from the router.
import { randomUUID } from 'node:crypto';
import type { RequiredPermission } from '@muster/contract';
import { permits, ROLE_NAMES } from '@muster/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminCaller } from '../../test/admin-caller.ts';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { startTestService } from '../../test/test-service.ts';
import type { ProcedureMeta } from './procedures.ts';
import type { ListedProcedure } from './testing/list-procedures.ts';
import { listProcedures } from './testing/list-procedures.ts';

const SANDBOX = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a11';
const OTHER = '2c0e8b1e-6d5f-4a37-9b63-0d7c1d5e8a12';

/** Procedures without a permission check. Every new one must be added here. */
const PUBLIC = ['accounts.signInMethods', 'invitations.accept', 'invitations.get', 'me.find'];
/** Queries that every caller may use, each with what that caller may see. */
const FOR_ANYONE_SIGNED_IN = [
  'accounts.names',
  'maintenance.get',
  'me.get',
  'sandboxes.list',
  'search.find',
];
/** Changes that people make to their own account. */
const FOR_ONESELF = ['me.endSignIns', 'me.identities', 'me.rename', 'me.signIns'];

const procedures = listProcedures();
const namesOf = (access: ProcedureMeta['access']) =>
  procedures.filter(({ meta }) => meta?.access === access).map(({ name }) => name);

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

/** The input names a sandbox and nothing else, so that an admitted caller gets another error. */
const codeFor = async (
  caller: AdminCaller,
  { name, type }: ListedProcedure,
  sandboxId = SANDBOX,
) => {
  const ask = type === 'query' ? caller.query : caller.mutate;
  return (await ask(name, { sandbox_id: sandboxId })).code ?? 'answered';
};

const isPermitted = (held: readonly string[], meta: ProcedureMeta, sandboxId: string): boolean => {
  if (!('anyOf' in meta)) return true;
  const anyOf: readonly RequiredPermission[] = meta.anyOf;
  return permits(held, anyOf, meta.access === 'sandbox' ? sandboxId : undefined);
};

const REFUSED = 'insufficient_permissions';

/** Compares the error code of every procedure with the expected one. */
const expectMatrix = async (
  caller: AdminCaller,
  expected: (meta: ProcedureMeta) => string | undefined,
  sandboxId?: string,
) => {
  const wrong: string[] = [];
  for (const procedure of procedures) {
    const { name, meta } = procedure;
    const code = await codeFor(caller, procedure, sandboxId);
    const wanted = meta && expected(meta);
    const isRight = wanted === undefined ? !GATES.includes(code) : code === wanted;
    if (!isRight) wrong.push(`${name}: ${code} instead of ${wanted ?? 'admission'}`);
  }
  expect(wrong).toEqual([]);
};
const GATES = [REFUSED, 'auth_missing', 'auth_session_ended', 'password_change_required'];

describe('every procedure', () => {
  it('declares its permission by one of the builders', () => {
    expect(procedures.filter(({ meta }) => !meta).map(({ name }) => name)).toEqual([]);
    expect(procedures.length).toBeGreaterThan(40);
  });

  it('that needs no permission, or only a sign-in, is listed here', () => {
    expect(namesOf('public').toSorted()).toEqual(PUBLIC);
    expect(namesOf('authenticated').toSorted()).toEqual(FOR_ANYONE_SIGNED_IN);
    expect(namesOf('person').toSorted()).toEqual(FOR_ONESELF);
    const open = procedures.filter(({ name }) => FOR_ANYONE_SIGNED_IN.includes(name));
    expect(open.map(({ type }) => type)).toEqual(open.map(() => 'query'));
  });

  it.each([
    [
      'sandbox',
      'sandbox:*',
      ['archive', 'unarchive', 'delete', 'restore'].map((verb) => `sandboxes.${verb}`),
    ],
    [
      'permitted',
      'session:*',
      ['sessions.end', 'sessions.endMatching', 'sessions.delete', 'sessionTypes.delete'],
    ],
    ['permitted', 'player:*', ['players.delete']],
  ])('that deletes a whole object is %s by %s alone', (access, permission, names) => {
    const found = procedures.filter(({ name }) => names.includes(name));
    expect(found.map(({ name, type, meta }) => ({ name, type, meta }))).toEqual(
      procedures
        .filter(({ name }) => names.includes(name))
        .map(({ name }) => ({ name, type: 'mutation', meta: { access, anyOf: [permission] } })),
    );
    expect(found).toHaveLength(names.length);
  });

  it.each(ROLE_NAMES)('admits the role %s exactly where it has the permission', async (role) => {
    const { cookie } = await service.createPerson({ role });
    const caller = createAdminCaller(service.baseUrl, { cookie });
    const me = await caller.query<{ permissions: string[] }>('me.get');
    await expectMatrix(caller, (meta) =>
      isPermitted(me.data.permissions, meta, SANDBOX) ? undefined : REFUSED,
    );
  });

  it.each(['viewer', 'editor', 'admin'] as const)(
    'restricts a narrowed %s to the chosen sandboxes',
    async (role) => {
      const { cookie } = await service.createPerson({ role, sandboxIds: [SANDBOX] });
      const caller = createAdminCaller(service.baseUrl, { cookie });
      const { permissions } = (await caller.query<{ permissions: string[] }>('me.get')).data;
      for (const sandboxId of [SANDBOX, OTHER]) {
        await expectMatrix(
          caller,
          (meta) => (isPermitted(permissions, meta, sandboxId) ? undefined : REFUSED),
          sandboxId,
        );
      }
    },
  );

  it('shows a narrowed role no audit record and no chain of another sandbox', async () => {
    const owner = createAdminCaller(service.baseUrl, {
      authorization: `Bearer ${await service.signToken()}`,
    });
    const [mine, other] = [randomUUID(), randomUUID()];
    for (const sandbox_id of [mine, other]) {
      await owner.mutate('sandboxes.create', { sandbox_id, name: `Sandbox ${sandbox_id}` });
    }
    const { cookie } = await service.createPerson({ role: 'admin', sandboxIds: [mine] });
    const caller = createAdminCaller(service.baseUrl, { cookie });
    for (const procedure of ['audit.list', 'system.get']) {
      const shown = JSON.stringify((await caller.query(procedure)).data);
      expect([shown.includes(mine), shown.includes(other)]).toEqual([true, false]);
    }
  });

  it('refuses requests without a credential', async () => {
    const nobody = createAdminCaller(service.baseUrl);
    await expectMatrix(nobody, ({ access }) => (access === 'public' ? undefined : 'auth_missing'));
  });

  it('is refused until a one-time password is changed', async () => {
    const person = await service.createPerson({ role: 'owner', mustChangePassword: true });
    const caller = createAdminCaller(service.baseUrl, { cookie: person.cookie });
    await expectMatrix(caller, (meta) => {
      const isOpen = meta.access === 'public' || 'beforePasswordChange' in meta;
      return isOpen ? undefined : 'password_change_required';
    });
  });
});

// Single sign-on identities: one is linked to a person, the person and owners see it, and an owner removes it.
import { withClient } from '@muster/database';
import { describe, expect, it } from 'vitest';
import type { AdminCaller } from '../../test/admin-caller.ts';
import { createAdminCaller } from '../../test/admin-caller.ts';
import type { TestService } from '../../test/test-service.ts';
import { readCookies, startTestService } from '../../test/test-service.ts';
import type { IdentityView } from './identities.ts';
import type { TestIssuer } from './testing/test-issuer.ts';
import {
  addPerson,
  begin,
  comeBack,
  grant,
  listAudit,
  readEnd,
  readLocation,
  serveIssuer,
  signInThroughIssuer,
  startTestIssuer,
  verified,
} from './testing/test-issuer.ts';

let issuer: TestIssuer;
let service: TestService;
let owner: AdminCaller;
serveIssuer(async (served) => {
  ({ issuer, service } = served);
  const authorization = `Bearer ${await service.signToken({ sub: 'the-owner' })}`;
  owner = createAdminCaller(service.baseUrl, { authorization });
});

type Listed = { identities: IdentityView[] };
const list = async (account_id: string) =>
  (await owner.query<Listed>('people.identities', { account_id })).data.identities;

const signIn = (email: string, subject: string, through = service) =>
  signInThroughIssuer(through, issuer, { ...verified(email), sub: subject });

/** Several redirects from the issuer at once. */
const comeBackAtOnce = async (email: string, subjects: string[]): Promise<Response[]> => {
  const begun = await Promise.all(subjects.map(() => begin(service)));
  return Promise.all(
    begun.map((each, index) => {
      const profile = { ...verified(email), sub: subjects[index] };
      return comeBack(service, each, { code: grant(issuer, each, profile) });
    }),
  );
};

const auditOf = async (accountId: string) => {
  const records = await service.database.prisma.auditRecord.findMany({
    orderBy: { auditId: 'asc' },
  });
  return records.filter(
    ({ target }) => (target as Record<string, unknown>).account_id === accountId,
  );
};

describe('the first identity of a person', () => {
  it('is linked once, with an audit record that names issuer, subject, address and request', async () => {
    const { email, accountId } = await addPerson(service, 'editor');
    await signIn(email, 'first');
    await signIn(email, 'first');
    const linked = (await auditOf(accountId)).filter(
      ({ action }) => action === 'auth.linkIdentity',
    );
    expect(linked).toMatchObject([
      {
        accountId,
        target: { account_id: accountId },
        after: { issuer: issuer.url, subject: 'first' },
        address: expect.stringContaining('127.0.0.1'),
        requestId: expect.any(String),
      },
    ]);
  });

  it('is linked, and recorded, also where an invitation makes the person', async () => {
    const email = 'newcomer@muster.example';
    await owner.mutate('people.invite', { email, role: 'viewer' });
    const { me } = await signIn(email, 'newcomer');
    const actions = (await auditOf(me.data.account_id)).map(({ action }) => action);
    expect(actions).toEqual(['invitations.accept', 'auth.linkIdentity', 'auth.signIn']);
  });

  it('is shown to owners with issuer, subject and times, and to the person', async () => {
    const { email, accountId } = await addPerson(service, 'viewer');
    expect(await list(accountId)).toEqual([]);
    await signIn(email, 'shown');
    const { back } = await signIn(email, 'shown');
    const identities = await list(accountId);
    expect(identities).toMatchObject([{ issuer: issuer.url, subject: 'shown' }]);
    const [{ linked = '', last_used = '' } = {}] = identities;
    expect(Date.parse(last_used)).toBeGreaterThan(Date.parse(linked));
    const person = createAdminCaller(service.baseUrl, { cookie: readCookies(back) });
    expect((await person.query<Listed>('me.identities')).data.identities).toEqual(identities);
    const asked = await person.query('people.identities', { account_id: accountId });
    expect(asked.code).toBe('insufficient_permissions');
  });

  it('belongs to the person also after the e-mail address at the issuer has become that of another person', async () => {
    const first = await addPerson(service, 'viewer');
    const other = await addPerson(service, 'owner');
    await signIn(first.email, 'renamed');
    const { me } = await signIn(other.email, 'renamed');
    expect(me.data.account_id).toBe(first.accountId);
    expect(await list(other.accountId)).toEqual([]);
  });

  it('shows a viewer who may not see people no subject in the audit trail', async () => {
    const { email } = await addPerson(service, 'viewer');
    await signIn(email, 'hidden-subject');
    const authorization = `Bearer ${await service.signToken({ permissions: ['audit:view'] })}`;
    const auditor = createAdminCaller(service.baseUrl, { authorization });
    const trail = await auditor.query<{ records: { action: string }[] }>('audit.list', {
      action: 'auth.linkIdentity',
    });
    expect(trail.data.records.length).toBeGreaterThan(0);
    expect(JSON.stringify(trail.data)).not.toContain('hidden-subject');
  });
});

describe('a second identity of a person', () => {
  it('is refused, which is recorded, until an owner has removed the first one', async () => {
    const { email, accountId } = await addPerson(service, 'editor');
    await signIn(email, 'old');
    const refused = await signIn(email, 'new');
    expect(refused.location).toBe('/login?error=second_identity');
    expect(refused.me.status).toBe(403);
    const [record] = (await listAudit(service, 'auth.signInRefused')).slice(-1);
    expect(record).toMatchObject({
      target: { account_id: accountId },
      after: { issuer: issuer.url, subject: 'new' },
    });

    const [identity] = await list(accountId);
    const input = { account_id: accountId, identity_id: identity?.identity_id };
    expect((await owner.mutate('people.removeIdentity', input)).status).toBe(200);
    expect((await signIn(email, 'new')).me.data.account_id).toBe(accountId);
    expect(await list(accountId)).toMatchObject([{ subject: 'new' }]);
    expect((await signIn(email, 'old')).location).toBe('/login?error=second_identity');
  });

  it('loses the race: of ten that come at once one is linked', async () => {
    const { email, accountId } = await addPerson(service, 'owner');
    const subjects = Array.from({ length: 10 }, (_, index) => `racer ${index}`);
    const backs = await comeBackAtOnce(email, subjects);
    const locations = backs.map((back) => readLocation(back));
    expect(locations.toSorted()).toEqual([
      ...Array<string>(9).fill('/login?error=second_identity'),
      '/sessions',
    ]);
    expect(await list(accountId)).toHaveLength(1);
    const linked = (await auditOf(accountId)).filter(
      ({ action }) => action === 'auth.linkIdentity',
    );
    expect(linked).toHaveLength(1);
  });

  it('is no second one where the same one comes at once', async () => {
    const { email, accountId } = await addPerson(service, 'viewer');
    const backs = await comeBackAtOnce(email, Array<string>(5).fill('the same'));
    expect(backs.map((back) => readLocation(back))).toEqual(Array<string>(5).fill('/sessions'));
    expect(await list(accountId)).toHaveLength(1);
  });
});

describe('removing an identity', () => {
  it('ends every sign-in of the person, and is recorded', async () => {
    const { email, accountId } = await addPerson(service, 'editor');
    const { back } = await signIn(email, 'ending');
    const [identity] = await list(accountId);
    const input = { account_id: accountId, identity_id: identity?.identity_id };
    await owner.mutate('people.removeIdentity', input);
    const person = createAdminCaller(service.baseUrl, { cookie: readCookies(back) });
    expect((await person.query('me.get')).code).toBe('auth_session_ended');
    const [record] = (await auditOf(accountId)).slice(-1);
    expect(record).toMatchObject({
      accountId: 'the-owner',
      action: 'people.removeIdentity',
      before: { issuer: issuer.url, subject: 'ending' },
    });
    expect((await owner.mutate('people.removeIdentity', input)).code).toBe('identity_not_found');
  });

  it('is for identities of that person only, and no way to remove a password', async () => {
    const first = await addPerson(service, 'viewer');
    const other = await addPerson(service, 'viewer');
    await signIn(first.email, 'mine');
    const [identity] = await list(first.accountId);
    await owner.mutate('people.resetPassword', { account_id: other.accountId });
    const { prisma } = service.database;
    const where = { userId: other.accountId, providerId: 'credential' };
    const { id } = await prisma.accountLogin.findFirstOrThrow({ where });
    for (const identity_id of [identity?.identity_id, id, 'unknown']) {
      const input = { account_id: other.accountId, identity_id };
      expect((await owner.mutate('people.removeIdentity', input)).code).toBe('identity_not_found');
    }
    expect(await list(first.accountId)).toHaveLength(1);
    expect(await prisma.accountLogin.count({ where })).toBe(1);
  });

  it('needs the permission to manage people, and the permissions of that person', async () => {
    const { email, accountId } = await addPerson(service, 'owner');
    await signIn(email, 'guarded');
    const [identity] = await list(accountId);
    const input = { account_id: accountId, identity_id: identity?.identity_id };
    const { back } = await signIn((await addPerson(service, 'admin')).email, 'an admin');
    const admin = createAdminCaller(service.baseUrl, { cookie: readCookies(back) });
    expect((await admin.query('people.identities', input)).code).toBe('insufficient_permissions');
    const authorization = `Bearer ${await service.signToken({ permissions: ['people:manage'] })}`;
    const manager = createAdminCaller(service.baseUrl, { authorization });
    expect((await manager.mutate('people.removeIdentity', input)).code).toBe(
      'grant_beyond_permissions',
    );
    expect(await list(accountId)).toHaveLength(1);
  });

  it('leaves nothing open of a sign-in that is under way', async () => {
    const { email, accountId } = await addPerson(service, 'viewer');
    for (let round = 0; round < 5; round += 1) {
      await signIn(email, `round ${round}`);
      const [identity] = await list(accountId);
      const begun = await begin(service);
      const profile = { ...verified(email), sub: `round ${round}` };
      const code = grant(issuer, begun, profile);
      const input = { account_id: accountId, identity_id: identity?.identity_id };
      const [back] = await Promise.all([
        comeBack(service, begun, { code }),
        owner.mutate('people.removeIdentity', input),
      ]);
      const { me } = await readEnd(service, back);
      // Either the sign-in came first and was ended, or it came later and has linked the identity anew.
      const isLinked = (await list(accountId)).length === 1;
      expect(me.status).toBe(isLinked ? 200 : 403);
      await owner.mutate('people.resetPassword', { account_id: accountId });
    }
  });
});

describe('removing a person', () => {
  it('waits for a sign-in that uses the identity before it locks the person, so that neither is a deadlock', async () => {
    const { email, accountId } = await addPerson(service, 'viewer');
    await signIn(email, 'leaving');
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    const use = 'UPDATE account_login SET updated_at = now() WHERE user_id = $1';
    // As the new session of the person locks it.
    const lock = 'SELECT FROM account_user WHERE id = $1 FOR KEY SHARE NOWAIT';
    const removal = await withClient(
      { connectionString: service.databaseUrl },
      async (signingIn) => {
        await signingIn.query('BEGIN');
        await signingIn.query(use, [accountId]);
        const removing = owner.mutate('people.remove', { account_id: accountId });
        await expect.poll(async () => (await signingIn.query(waiting)).rowCount).toBe(1);
        await signingIn.query(lock, [accountId]);
        await signingIn.query('COMMIT');
        return removing;
      },
    );
    expect(removal.status).toBe(200);
  });
});

describe('a reset', () => {
  it.each(['people.resetPassword', 'people.resetTwoFactor'])(
    '%s removes every identity of the person, and its audit record lists them',
    async (procedure) => {
      const { email, accountId } = await addPerson(service, 'viewer');
      await signIn(email, `reset by ${procedure}`);
      // Linked before the second one was refused.
      const { prisma } = service.database;
      await prisma.accountLogin.create({
        data: {
          id: crypto.randomUUID(),
          providerId: 'oidc',
          accountId: `older than ${procedure}`,
          userId: accountId,
        },
      });
      expect((await owner.mutate(procedure, { account_id: accountId })).status).toBe(200);
      expect(await list(accountId)).toEqual([]);
      expect(await prisma.accountSession.count({ where: { userId: accountId } })).toBe(0);
      const [record] = (await auditOf(accountId)).slice(-1);
      expect(record).toMatchObject({
        action: procedure,
        before: {
          identities: expect.arrayContaining([
            { issuer: issuer.url, subject: `reset by ${procedure}` },
            { issuer: null, subject: `older than ${procedure}` },
          ]),
        },
      });
    },
  );
});

describe('an identity that was linked by a version that kept no issuer', () => {
  it('still signs its person in, and has an issuer from then on', async () => {
    const { email, accountId } = await addPerson(service, 'viewer');
    await service.database.prisma.accountLogin.create({
      data: { id: 'before', providerId: 'oidc', accountId: 'before', userId: accountId },
    });
    expect(await list(accountId)).toMatchObject([{ identity_id: 'before', subject: 'before' }]);
    expect((await signIn(email, 'after')).location).toBe('/login?error=second_identity');
    expect((await signIn(email, 'before')).me.data.account_id).toBe(accountId);
    expect(await list(accountId)).toMatchObject([{ issuer: issuer.url, subject: 'before' }]);
  });

  it('does not sign in another person to whom the configured issuer gives the same subject', async () => {
    const victim = await addPerson(service, 'owner');
    const other = await addPerson(service, 'viewer');
    await service.database.prisma.accountLogin.create({
      data: { id: 'unused', providerId: 'oidc', accountId: '5', userId: victim.accountId },
    });
    const end = await signIn(other.email, '5');
    expect(end.location).toBe('/login?error=second_identity');
    expect(end.me.status).toBe(403);
    expect(await list(victim.accountId)).toMatchObject([{ identity_id: 'unused', subject: '5' }]);
  });
});

describe('the same subject at another issuer', () => {
  it('is another identity: it does not sign in the person, and does not block a new identity', async () => {
    const other = await startTestIssuer();
    const moved = await startTestService({ env: other.env, databaseUrl: service.databaseUrl });
    const victim = await addPerson(service, 'owner');
    const guest = await addPerson(service, 'viewer');
    await signIn(victim.email, '1');
    const profile = { ...verified(guest.email), sub: '1' };
    const { me } = await signInThroughIssuer(moved, other, profile);
    expect(me.data.account_id).toBe(guest.accountId);
    expect(await list(guest.accountId)).toMatchObject([{ issuer: other.url, subject: '1' }]);

    const again = { ...verified(victim.email), sub: '2' };
    const back = await signInThroughIssuer(moved, other, again);
    expect(back.me.data.account_id).toBe(victim.accountId);
    expect(await list(victim.accountId)).toMatchObject([{ issuer: other.url, subject: '2' }]);
    const linked = (await auditOf(guest.accountId)).filter(
      ({ action }) => action === 'auth.linkIdentity',
    );
    expect(linked).toMatchObject([
      { before: { identities: [{ issuer: issuer.url, subject: '1' }] } },
    ]);
    await moved.close();
    await other.close();
  });
});

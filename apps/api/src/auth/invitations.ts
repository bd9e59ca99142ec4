// Invitations: a link with which one person can sign up once, within a week.
import { randomBytes } from 'node:crypto';
import type { Role } from '@muster/contract';
import { coversAll, narrowToSandboxes, newName, permits, text } from '@muster/contract';
import type { Prisma } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { createPacer } from '../flow/index.ts';
import type { Actor } from '../platform/index.ts';
import { appendAudit, ServiceError } from '../platform/index.ts';
import { digestSecret } from './api-keys.ts';
import { hashPassword, PASSWORD_LENGTH } from './better-auth.ts';
import type { Grantor } from './grantor.ts';
import { confirmGrantor } from './grantor.ts';
import { refuseGuessablePassword } from './password-rules.ts';
import type { PeopleInputs } from './people.ts';
import { describeGrant, readGrant } from './people.ts';
import type { RoleGrant } from './permissions.ts';
import {
  permissionsOf,
  readScope,
  refuseNarrowedOwner,
  refuseUncoveredRole,
} from './permissions.ts';
import type { PersonStore } from './person-store.ts';
import { insertPerson, lockAccounts, toPerson, workingKeys } from './person-store.ts';

const LIFETIME_DAYS = 7;
const DAY_MS = 86_400_000;

const Token = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Must be the token of an invitation');

export const InvitationInputs = {
  get: z.object({ token: Token }),
  accept: z.object({
    token: Token,
    name: newName(128),
    password: text(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max),
  }),
};

type InvitationRow = Prisma.AccountInvitationGetPayload<object>;
type InviteInput = z.output<typeof PeopleInputs.invite>;
type AcceptInput = z.output<typeof InvitationInputs.accept>;

type InvitationView = {
  invitation_id: string;
  email: string;
  role: Role;
  sandbox_ids?: string[];
  /** The account of the inviter. */
  invited_by: string;
  created: string;
  expires: string;
};

/** A caller without an account, identified by its address only. */
type Visitor = Omit<Actor, 'accountId'>;

export const createInvitationService = (store: PersonStore, now: () => Date) => {
  const find = async (token: string): Promise<InvitationRow> => {
    const row = await store.findInvitation({ tokenDigest: digestSecret(token) });
    if (!row || !(await isOpen(store.reader, row))) throw new ServiceError('invitation_not_found');
    return row;
  };

  const isOpen = async (database: PersonStore['reader'], row: InvitationRow): Promise<boolean> =>
    row.expiresAt > now() && (await mayStillInvite(database, row, now()));

  /** Of several concurrent attempts, the one that deletes the row accepts the invitation. */
  const acceptOnce = async (
    transaction: Prisma.TransactionClient,
    row: InvitationRow,
    actor: Actor,
    { name, passwordHash }: { name: string; passwordHash?: string },
  ): Promise<void> => {
    await lockAccounts(transaction);
    const { invitationId, email } = row;
    // Checked again under the lock, since the inviter may have lost the permission.
    if (!(await isOpen(transaction, row))) throw new ServiceError('invitation_not_found');
    const { count } = await transaction.accountInvitation.deleteMany({ where: { invitationId } });
    if (count === 0) throw new ServiceError('invitation_not_found');
    const known = await transaction.accountUser.findUnique({ where: { email } });
    if (known) throw new ServiceError('person_exists');
    const at = now();
    await insertPerson(transaction, {
      accountId: actor.accountId,
      name,
      email,
      role: row.role as Role,
      sandboxIds: row.sandboxIds,
      mustChangePassword: false,
      now: at,
      ...(passwordHash && { passwordHash }),
    });
    const target = { account_id: actor.accountId, invitation_id: invitationId };
    await appendAudit(transaction, actor, { action: 'invitations.accept', target }, at);
  };

  const confirm = (transaction: Prisma.TransactionClient, asked: Grantor): Promise<Grantor> =>
    confirmGrantor(transaction, asked, 'people:manage', now);

  return {
    list: async (): Promise<InvitationView[]> => (await store.listInvitations(now())).map(toView),

    /**
     * Makes an invitation and replaces an open one for the same address. The token is in the fragment of the link:
     * browsers do not send it, so it is in no log. Errors: person_exists, grant_beyond_permissions (also for the one
     * replaced), owner_not_narrowed.
     */
    invite: async (asked: Grantor, input: InviteInput, origin: string) => {
      const { email, role } = input;
      const grant = readGrant(input);
      refuseNarrowedOwner(grant);
      const token = randomBytes(32).toString('base64url');
      const at = now();
      const invitation = {
        invitationId: uuidv7(),
        email,
        role,
        sandboxIds: grant.sandboxIds ?? [],
        invitedBy: asked.actor.accountId,
        createdAt: at,
        expiresAt: new Date(at.getTime() + LIFETIME_DAYS * DAY_MS),
        tokenDigest: digestSecret(token),
      };
      await store.inTransaction(async (transaction) => {
        const { actor, permissions } = await confirm(transaction, asked);
        refuseUncoveredRole(permissions, grant);
        const known = await transaction.accountUser.findUnique({ where: { email } });
        if (known) throw new ServiceError('person_exists');
        const replaced = await transaction.accountInvitation.findUnique({ where: { email } });
        if (replaced) refuseUncoveredRole(permissions, toGrant(replaced));
        await transaction.accountInvitation.deleteMany({ where: { email } });
        await transaction.accountInvitation.create({ data: invitation });
        const target = { invitation_id: invitation.invitationId };
        const after = { email, ...describeGrant(grant) };
        await appendAudit(transaction, actor, { action: 'people.invite', target, after }, at);
      });
      return {
        invitation_id: invitation.invitationId,
        url: `${origin}/invite#token=${token}`,
        expires: invitation.expiresAt.toISOString(),
      };
    },

    /** Errors: invitation_not_found, grant_beyond_permissions. */
    revoke: (asked: Grantor, invitationId: string) =>
      store.inTransaction(async (transaction) => {
        const { actor, permissions } = await confirm(transaction, asked);
        const where = { invitationId };
        const row = await transaction.accountInvitation.findUnique({ where });
        if (!row) throw new ServiceError('invitation_not_found');
        refuseUncoveredRole(permissions, toGrant(row));
        await transaction.accountInvitation.delete({ where });
        const entry = {
          action: 'people.revokeInvitation',
          target: { invitation_id: invitationId },
          before: { email: row.email },
        };
        await appendAudit(transaction, actor, entry, now());
      }),

    /** Errors: invitation_not_found. */
    get: async (token: string) => {
      const { email, role, expiresAt } = await find(token);
      return { email, role: role as Role, expires: expiresAt.toISOString() };
    },

    /** Errors: invitation_not_found, person_exists, password_unfit. */
    accept: async (visitor: Visitor, { token, name, password }: AcceptInput) => {
      const row = await find(token);
      await refuseGuessablePassword({ password, place: 'password', email: row.email, name });
      const actor = { ...visitor, accountId: uuidv7() };
      const passwordHash = await hashPassword(password);
      await store.inTransaction((transaction) =>
        acceptOnce(transaction, row, actor, { name, passwordHash }),
      );
      return { email: row.email };
    },

    /** Accepts the invitation of an e-mail address that the issuer has verified. Returns the account id, or null without an invitation. */
    acceptVerified: async (
      transaction: Prisma.TransactionClient,
      visitor: Visitor,
      { email, name }: { email: string; name: string },
    ): Promise<string | null> => {
      const row = await transaction.accountInvitation.findUnique({ where: { email } });
      if (!row || !(await isOpen(transaction, row))) return null;
      const accountId = uuidv7();
      await acceptOnce(transaction, row, { ...visitor, accountId }, { name });
      return accountId;
    },
  };
};

const toGrant = ({ role, sandboxIds }: InvitationRow): RoleGrant => ({
  role: role as Role,
  ...(sandboxIds.length > 0 && { sandboxIds }),
});

const toView = (row: InvitationRow): InvitationView => ({
  invitation_id: row.invitationId,
  email: row.email,
  ...describeGrant(toGrant(row)),
  invited_by: row.invitedBy,
  created: row.createdAt.toISOString(),
  expires: row.expiresAt.toISOString(),
});

/**
 * Whether the inviter could make this invitation now, so that it never grants more than the inviter has. A person is
 * judged by the role, a service account by each of its working keys. An id that no account has or had is the `sub` of a
 * signed token. Only its issuer knows its permissions, so its invitations stay valid.
 */
const mayStillInvite = async (
  database: PersonStore['reader'],
  invitation: InvitationRow,
  now: Date,
): Promise<boolean> => {
  const { invitedBy } = invitation;
  const granted = permissionsOf(toGrant(invitation));
  const suffices = (held: string[]) => permits(held, ['people:manage']) && coversAll(held, granted);

  const row = await database.accountUser.findUnique({ where: { id: invitedBy } });
  if (row) {
    const person = toPerson(row);
    return !person.disabled && suffices(permissionsOf(person));
  }
  const known = await database.accountName.findUnique({ where: { accountId: invitedBy } });
  if (!known) return true;
  if (known.kind !== 'service') return false;
  const keys = await database.serviceKey.findMany({
    where: { accountId: invitedBy, ...workingKeys(now) },
  });
  const pacer = createPacer();
  for (const key of keys) {
    if (pacer.isDue()) await pacer.rest();
    if (suffices(narrowToSandboxes(key.permissions, readScope(key)))) return true;
  }
  return false;
};

// Invitations: a link that makes one person, once, within a week.
import { createHash, randomBytes } from 'node:crypto';
import type { Role } from '@muster/contract';
import type { Prisma } from '@muster/database';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import type { Actor } from '../../audit/index.ts';
import { appendAudit } from '../../audit/index.ts';
import { ServiceError } from '../../errors/service-error.ts';
import { hasInviterStanding } from './inviter-standing.ts';
import { hashPassword } from './passwords.ts';
import type { InvitationInputs, PeopleInputs } from './people-inputs.ts';
import type { RoleGrant } from './people-rules.ts';
import { refuseBeyond, refuseNarrowedOwner } from './people-rules.ts';
import type { Granter } from './people-service.ts';
import type { PersonStore } from './person-store.ts';
import { insertPerson, lockPeople } from './person-store.ts';

const LIFE_DAYS = 7;
const DAY_MS = 86_400_000;

type InvitationRow = Prisma.AccountInvitationGetPayload<object>;
type InviteInput = z.output<typeof PeopleInputs.invite>;
type AcceptInput = z.output<typeof InvitationInputs.accept>;

export type InvitationAnswer = {
  invitation_id: string;
  email: string;
  role: Role;
  sandbox_ids?: string[];
  /** The account that invited. */
  invited_by: string;
  created: string;
  expires: string;
};

/** Who asks without being signed in: known by address only. */
export type Visitor = Omit<Actor, 'accountId'>;

export const createInvitationService = (store: PersonStore, now: () => Date) => {
  const find = async (tokenDigest: Uint8Array<ArrayBuffer>): Promise<InvitationRow> => {
    const row = await store.findInvitation({ tokenDigest });
    if (!row || !(await isOpen(store.reader, row))) throw new ServiceError('invitation_not_found');
    return row;
  };

  const isOpen = async (database: PersonStore['reader'], row: InvitationRow): Promise<boolean> =>
    row.expiresAt > now() && (await hasInviterStanding(database, row, now()));

  /** Whoever removes the row has taken the invitation; everybody else comes too late. */
  const take = (row: InvitationRow, actor: Actor, name: string, passwordHash?: string) =>
    store.inTransaction(async (transaction) => {
      await lockPeople(transaction);
      const { invitationId, email } = row;
      // Read before this lock, the standing of whoever invited may be over by now.
      if (!(await isOpen(transaction, row))) throw new ServiceError('invitation_not_found');
      const { count } = await transaction.accountInvitation.deleteMany({ where: { invitationId } });
      if (count === 0) throw new ServiceError('invitation_not_found');
      const known = await transaction.accountUser.findUnique({ where: { email } });
      if (known) throw new ServiceError('person_exists');
      const at = now();
      await insertPerson(transaction, {
        ...{ accountId: actor.accountId, name, email, role: row.role as Role },
        ...{ sandboxIds: row.sandboxIds, mustChangePassword: false, now: at },
        ...(passwordHash && { passwordHash }),
      });
      const target = { account_id: actor.accountId, invitation_id: invitationId };
      await appendAudit(transaction, actor, { action: 'invitations.accept', target }, at);
    });

  return {
    list: async (): Promise<InvitationAnswer[]> =>
      (await store.listInvitations(now())).map(toAnswer),

    /**
     * Makes an invitation; one that waits for the same address is replaced. The token is in the fragment of
     * the link, which browsers keep to themselves, so that it is in no log.
     * Errors: person_exists, grant_beyond_permissions (also for the one replaced), owner_not_narrowed.
     */
    invite: async ({ actor, permissions }: Granter, input: InviteInput, origin: string) => {
      const { email, role, sandbox_ids: sandboxIds } = input;
      const grant = { role, ...(sandboxIds && { sandboxIds }) };
      refuseNarrowedOwner(grant);
      refuseBeyond(permissions, grant);
      const token = randomBytes(32).toString('base64url');
      const at = now();
      const invitation = {
        invitationId: uuidv7(),
        ...{ email, role, sandboxIds: sandboxIds ?? [], invitedBy: actor.accountId },
        ...{ createdAt: at, expiresAt: new Date(at.getTime() + LIFE_DAYS * DAY_MS) },
        tokenDigest: digest(token),
      };
      await store.inTransaction(async (transaction) => {
        await lockPeople(transaction);
        const known = await transaction.accountUser.findUnique({ where: { email } });
        if (known) throw new ServiceError('person_exists');
        const replaced = await transaction.accountInvitation.findUnique({ where: { email } });
        if (replaced) refuseBeyond(permissions, toGrant(replaced));
        await transaction.accountInvitation.deleteMany({ where: { email } });
        await transaction.accountInvitation.create({ data: invitation });
        const target = { invitation_id: invitation.invitationId };
        const after = { email, role, ...(sandboxIds && { sandbox_ids: sandboxIds }) };
        await appendAudit(transaction, actor, { action: 'people.invite', target, after }, at);
      });
      return {
        invitation_id: invitation.invitationId,
        url: `${origin}/invite#token=${token}`,
        expires: invitation.expiresAt.toISOString(),
      };
    },

    /** Errors: invitation_not_found, grant_beyond_permissions. */
    revoke: ({ actor, permissions }: Granter, invitationId: string) =>
      store.inTransaction(async (transaction) => {
        await lockPeople(transaction);
        const where = { invitationId };
        const row = await transaction.accountInvitation.findUnique({ where });
        if (!row) throw new ServiceError('invitation_not_found');
        refuseBeyond(permissions, toGrant(row));
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
      const { email, role, expiresAt } = await find(digest(token));
      return { email, role: role as Role, expires: expiresAt.toISOString() };
    },

    /** Errors: invitation_not_found, person_exists. */
    accept: async (visitor: Visitor, { token, name, password }: AcceptInput) => {
      const row = await find(digest(token));
      const actor = { ...visitor, accountId: uuidv7() };
      await take(row, actor, name, await hashPassword(password));
      return { email: row.email };
    },

    /** For somebody whose address the issuer vouches for; nobody else was invited by that address. */
    acceptVerified: async (identity: { email: string; name: string }): Promise<void> => {
      const email = identity.email.toLowerCase();
      const row = await store.findInvitation({ email });
      if (!row || !(await isOpen(store.reader, row))) return;
      await take(row, { accountId: uuidv7() }, identity.name.slice(0, 128));
    },
  };
};

/** The token is random and long: a slow hash would add nothing. */
const digest = (token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(token).digest());

const toGrant = ({ role, sandboxIds }: InvitationRow): RoleGrant => ({
  role: role as Role,
  ...(sandboxIds.length > 0 && { sandboxIds }),
});

const toAnswer = (row: InvitationRow): InvitationAnswer => ({
  invitation_id: row.invitationId,
  email: row.email,
  role: row.role as Role,
  ...(row.sandboxIds.length > 0 && { sandbox_ids: row.sandboxIds }),
  invited_by: row.invitedBy,
  created: row.createdAt.toISOString(),
  expires: row.expiresAt.toISOString(),
});

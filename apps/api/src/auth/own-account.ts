// Changes that people make to their own account: the name, and their sign-ins.
import { newName, text } from '@muster/contract';
import { z } from 'zod';
import type { Actor } from '../platform/index.ts';
import { appendAudit } from '../platform/index.ts';
import type { IdentityView } from './identities.ts';
import { listIdentities } from './identities.ts';
import type { PersonStore } from './person-store.ts';
import { deleteSignIns, forgetDevices } from './person-store.ts';
import type { Throttle } from './throttle.ts';
import { limitRenames } from './throttle.ts';

export const OwnAccountInputs = {
  rename: z.object({ name: newName(128) }),
  /** Absent: every sign-in except that of this request. */
  endSignIns: z.object({ sign_in_id: text(1, 256).optional() }).prefault({}),
};

type Input<Name extends keyof typeof OwnAccountInputs> = z.output<(typeof OwnAccountInputs)[Name]>;

type SignInView = {
  sign_in_id: string;
  created: string;
  expires: string;
  address?: string;
  /** The User-Agent of the browser. */
  user_agent?: string;
  /** True for the sign-in of this request. */
  current?: true;
};

export const createOwnAccountService = (
  store: Pick<PersonStore, 'inTransaction' | 'listSignIns' | 'reader'>,
  throttle: Pick<Throttle, 'take'>,
  now: () => Date,
) => ({
  /** Errors: rate_limited. */
  rename: async (actor: Actor, { name }: Input<'rename'>): Promise<void> => {
    await throttle.take(limitRenames(actor.accountId));
    await store.inTransaction(async (transaction) => {
      const { accountId } = actor;
      const where = { id: accountId };
      const person = await transaction.accountUser.findUnique({ where });
      if (!person || person.name === name) return;
      const at = now();
      const { count } = await transaction.accountUser.updateMany({
        where,
        data: { name, updatedAt: at },
      });
      // Removed since the request was authenticated.
      if (count === 0) return;
      await transaction.accountName.update({ where: { accountId }, data: { name } });
      const entry = { action: 'me.rename', target: { account_id: accountId } };
      const change = { before: { name: person.name }, after: { name } };
      await appendAudit(transaction, actor, { ...entry, ...change }, at);
    });
  },

  /** The newest first. */
  listSignIns: async (accountId: string, currentId: string): Promise<SignInView[]> => {
    const rows = await store.listSignIns(accountId, now());
    return rows.map((row) => ({
      sign_in_id: row.id,
      created: row.createdAt.toISOString(),
      expires: row.expiresAt.toISOString(),
      ...(row.ipAddress && { address: row.ipAddress }),
      ...(row.userAgent && { user_agent: row.userAgent }),
      ...(row.id === currentId && { current: true as const }),
    }));
  },

  /** Identities of single sign-on, the oldest first. */
  listIdentities: (accountId: string): Promise<IdentityView[]> =>
    listIdentities(store.reader, accountId),

  /** Ends one sign-in, or all except that of this request. Ending it twice changes nothing. */
  endSignIns: (actor: Actor, currentId: string, { sign_in_id: id }: Input<'endSignIns'>) =>
    store.inTransaction(async (transaction) => {
      const { accountId } = actor;
      const where = { userId: accountId, id: id ?? { not: currentId } };
      const count = await deleteSignIns(transaction, where);
      if (id === undefined) await forgetDevices(transaction, accountId);
      if (count > 0) {
        const entry = { action: 'me.endSignIns', target: { account_id: accountId } };
        await appendAudit(transaction, actor, { ...entry, after: { ended: count } }, now());
      }
      return { ended: count };
    }),
});

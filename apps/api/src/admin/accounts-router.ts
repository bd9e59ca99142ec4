import type { AccountServices } from '../accounts/index.ts';
import { AccountNamesInput } from '../accounts/index.ts';
import { authenticatedProcedure, publicProcedure, router } from './trpc.ts';

export const createAccountsRouter = ({ findNames, signInMethods }: AccountServices) =>
  router({
    /** The people and service accounts behind these ids, also removed ones; unknown ids are left out. */
    names: authenticatedProcedure.input(AccountNamesInput).query(async ({ input }) => {
      const found = await findNames(input.account_ids);
      return {
        accounts: found.map(({ accountId, name, kind }) => ({ account_id: accountId, name, kind })),
      };
    }),
    /** What the page of sign-in offers besides e-mail and password. */
    signInMethods: publicProcedure.query((): { oidc?: { name: string } } => signInMethods),
  });

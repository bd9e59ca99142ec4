// Admins send a bearer credential, as scripts do, or the cookie of a person who is signed in.
import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors/service-error.ts';
import type { Authenticate } from './authenticate.ts';
import type { Caller } from './caller.ts';
import { refuseForeignOrigin } from './request-origin.ts';

/**
 * Turns a request to the admin API into its caller. Throws ServiceError: an `auth_…` code, `origin_refused`
 * for a cookie on a changing request from another origin, `password_change_required`, `service_unavailable`.
 */
export type AuthenticateAdmin = (request: IncomingMessage) => Promise<Caller>;

export type AdminAuthentication = {
  /** For routes: refuses a person whose password must be changed first. */
  authenticateAdmin: AuthenticateAdmin;
  /** For the procedures, which check the password themselves, since `me.get` answers all the same. */
  identifyAdmin: AuthenticateAdmin;
};

export type AdminAuthenticationOptions = {
  authenticate: Authenticate;
  /** The person whose session the cookies name; null when they name none. */
  findPerson: (request: IncomingMessage) => Promise<Caller | null>;
  /** The origin that browsers show, where it is configured. */
  publicUrl?: URL;
};

export const createAdminAuthentication = (
  options: AdminAuthenticationOptions,
): AdminAuthentication => {
  const identifyAdmin: AuthenticateAdmin = async (request) => {
    const { authorization, cookie } = request.headers;
    if (authorization !== undefined || cookie === undefined) {
      return options.authenticate(authorization);
    }
    const person = await options.findPerson(request);
    if (person === null) throw new ServiceError('auth_missing');
    refuseForeignOrigin(request, options.publicUrl);
    return person;
  };
  return {
    identifyAdmin,
    authenticateAdmin: async (request) => refusePendingPassword(await identifyAdmin(request)),
  };
};

/** A one-time password opens nothing but the way to a password of one's own. */
export const refusePendingPassword = (caller: Caller): Caller => {
  if (caller.person?.mustChangePassword) throw new ServiceError('password_change_required');
  return caller;
};

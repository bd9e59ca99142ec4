// Loads the library when it is needed, and keeps it. The issuer has a library of its own: an issuer that is
// away when it is asked first must not keep people with a password out, and is asked again.
import { ServiceError } from '../../errors/service-error.ts';
import type { AccountsLibrary, LibraryParts } from './create-library.ts';
import { createLibrary } from './create-library.ts';

export type Libraries = { get(kind: 'people' | 'issuer'): Promise<AccountsLibrary> };

export const createLibraries = ({ oidc, ...parts }: LibraryParts): Libraries => {
  const getPeople = keep(() => createLibrary(parts));
  const getIssuer = keep(async () => {
    if (!oidc) throw new ServiceError('route_not_found');
    const library = await createLibrary({ ...parts, oidc });
    if (await library.hasIssuer()) return library;
    throw new ServiceError('service_unavailable', {
      desc: `${oidc.name} does not answer now; try again, or sign in with a password.`,
    });
  });
  return { get: (kind) => (kind === 'people' ? getPeople() : getIssuer()) };
};

/** Of several that ask at once one makes it; a failure is not kept. */
const keep = <Value>(make: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () =>
    (made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    }));
};

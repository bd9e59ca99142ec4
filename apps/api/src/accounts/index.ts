// Accounts: people who sign in, their roles and invitations, service accounts and their API keys.
export type { AccountServices, Accounts } from './create-accounts.ts';
export { createAccounts } from './create-accounts.ts';
export type { FirstOwner } from './first-owner.ts';
export { ensureFirstOwner } from './first-owner.ts';
export { AccountNamesInput, KeyInputs } from './keys/key-inputs.ts';
export { ACCOUNTS_PATH } from './library/library-options.ts';
export { OwnAccountInputs } from './people/own-account-inputs.ts';
export { InvitationInputs, PeopleInputs } from './people/people-inputs.ts';
export type { AuthAnswer, AuthCall } from './sign-in/auth-call.ts';
export { AUTH_ENDPOINTS } from './sign-in/auth-endpoints.ts';
export { limitInvitations } from './sign-in/throttle-rules.ts';

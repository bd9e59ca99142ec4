// Inputs of the procedures about people.
import { ROLE_NAMES, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import { PASSWORD_LENGTH } from '../library/library-options.ts';

const AccountId = text(1, 256);
/** Absent: every sandbox. */
export const SandboxIds = z
  .array(Uuid)
  .min(1)
  .max(100)
  .transform((ids) => [...new Set(ids)])
  .optional();
const Email = z.string().trim().toLowerCase().max(254).pipe(z.email());
const Token = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'Must be the token of an invitation');

export const PeopleInputs = {
  invite: z.object({ email: Email, role: z.enum(ROLE_NAMES), sandbox_ids: SandboxIds }),
  revokeInvitation: z.object({ invitation_id: Uuid }),
  setRole: z.object({
    account_id: AccountId,
    role: z.enum(ROLE_NAMES),
    sandbox_ids: SandboxIds,
  }),
  setDisabled: z.object({ account_id: AccountId, disabled: z.boolean() }),
  person: z.object({ account_id: AccountId }),
};

export const InvitationInputs = {
  get: z.object({ token: Token }),
  accept: z.object({
    token: Token,
    name: text(1, 128),
    password: text(PASSWORD_LENGTH.min, PASSWORD_LENGTH.max),
  }),
};

// Inputs of the procedures about service accounts and their keys.
import { PERMISSIONS, text, Uuid } from '@muster/contract';
import { z } from 'zod';
import { SandboxIds } from '../people/people-inputs.ts';

const Grantable = z.enum([...PERMISSIONS, '*']);
const MAX_GRACE_SECONDS = 7 * 86_400;

export const KeyInputs = {
  createAccount: z.object({ name: text(1, 128) }),
  account: z.object({ account_id: Uuid }),
  create: z
    .object({
      account_id: Uuid,
      name: text(1, 128),
      permissions: z
        .array(Grantable)
        .min(1)
        .transform((names) => [...new Set(names)]),
      /** Absent: every sandbox. */
      sandbox_ids: SandboxIds,
      /** Absent: the key lasts until it is revoked. */
      expires_in_days: z.int().min(1).max(3_650).optional(),
    })
    .refine(({ permissions, sandbox_ids }) => !sandbox_ids || !permissions.includes('*'), {
      path: ['permissions'],
      error: 'The permission * covers everything: it cannot be narrowed to sandboxes',
    }),
  rotate: z.object({
    key_id: Uuid,
    grace_seconds: z.int().min(0).max(MAX_GRACE_SECONDS).default(0),
  }),
  key: z.object({ key_id: Uuid }),
};

export const AccountNamesInput = z.object({ account_ids: z.array(text(1, 256)).max(200) });

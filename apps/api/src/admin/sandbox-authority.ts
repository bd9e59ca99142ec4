import { permits } from '@muster/contract';
import type { Caller } from '../auth/index.ts';
import type { SandboxAuthority } from '../catalogue/index.ts';

/** What this caller brings along for a protected sandbox. */
export const toSandboxAuthority = (
  caller: Caller,
  input: { sandbox_id: string; confirm_sandbox_name?: string | undefined },
): SandboxAuthority => ({
  administers: permits(caller.permissions, ['sandbox:*'], input.sandbox_id),
  confirmedName: input.confirm_sandbox_name,
});

import { z } from 'zod';

export const LoginSearch = z.object({
  /** Where to go afterwards; see router/own-path.ts. */
  next: z.string().optional().catch(undefined),
  step: z.enum(['two-factor', 'change-password']).optional().catch(undefined),
  /** Why the issuer sent somebody back: a code of the service. */
  error: z.string().optional().catch(undefined),
});

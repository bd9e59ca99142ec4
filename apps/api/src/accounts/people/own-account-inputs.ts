import { text } from '@muster/contract';
import { z } from 'zod';

export const OwnAccountInputs = {
  rename: z.object({ name: text(1, 128) }),
  /** Absent: every sign-in but the one that asks. */
  endSignIns: z.object({ sign_in_id: text(1, 256).optional() }).prefault({}),
};

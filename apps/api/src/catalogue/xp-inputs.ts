import { Uuid, xpFields } from '@muster/contract';
import { recordInputs } from './record-inputs.ts';

/** Written out, since zod applies a default inside an optional field: a patch would empty what it does not name. */
const xpPatch = {
  legacy_xp_id: xpFields.legacy_xp_id.nullable(),
  name: xpFields.name.optional(),
  description: xpFields.description.nullable(),
  xp_thresholds: xpFields.xp_thresholds.optional(),
  custom_data: xpFields.custom_data.unwrap().optional(),
};

export const XpInputs = recordInputs({ xp_id: Uuid }, xpFields, xpPatch);

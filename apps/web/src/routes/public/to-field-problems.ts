import type { MusterError } from '@muster/client';
import { ValidationError } from '@muster/client';
import type { RequestFields } from './request-fields.ts';
import { fieldOf } from './request-fields.ts';

/** The service's own words about what was typed, by the field. */
export const toFieldProblems = (
  error: MusterError | undefined,
): Partial<Record<keyof RequestFields, string>> => {
  if (!(error instanceof ValidationError)) return {};
  const found = error.detail.flatMap(({ loc, msg }) => {
    const field = fieldOf(loc);
    return field ? [[field, `${msg}.`]] : [];
  });
  return Object.fromEntries(found);
};

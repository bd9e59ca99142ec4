// What the routes of all contracts have in common.
import { z } from 'zod';
import { ServiceErrorBody } from './errors/error-bodies.ts';

/** The credential is checked before the shape of a request, so that its absence is 403 and not 422. */
export const CredentialHeaders = z.object({
  authorization: z
    .string()
    .optional()
    .meta({
      description: 'Bearer, then a JWT or an API key.',
      examples: ['Bearer eyJhbGciOiJIUzI1NiJ9.e30.c2ln'],
    }),
});

export const everywhere = {
  405: ServiceErrorBody,
  413: ServiceErrorBody,
  431: ServiceErrorBody,
  500: ServiceErrorBody,
};

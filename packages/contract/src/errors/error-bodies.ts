import { z } from 'zod';
import type { ErrorCode } from './error-catalogue.ts';
import { ERROR_CATALOGUE, ERROR_CODES, isAuthenticationFailure } from './error-catalogue.ts';

export const ServiceErrorBody = z
  .object({
    auth_success: z.boolean().default(true).meta({
      description: 'False when the credential was not accepted: refresh it and send again.',
    }),
    error_code: z.string().meta({ examples: ERROR_CODES.slice(0, 1) }),
    desc: z.string(),
  })
  .meta({ id: 'ServiceErrorBody', description: 'Why the service refused the request.' });
export type ServiceErrorBody = z.infer<typeof ServiceErrorBody>;

/** The public body of an error; `desc` defaults to the catalogue's sentence. */
export const toServiceErrorBody = (code: ErrorCode, desc?: string): ServiceErrorBody => ({
  auth_success: !isAuthenticationFailure(code),
  error_code: code,
  desc: desc ?? ERROR_CATALOGUE[code].desc,
});

export const ValidationProblem = z
  .object({
    loc: z.array(z.union([z.string(), z.number()])).meta({
      description: 'Where: path, query, header or body, then field names and array indexes.',
      examples: [['body', 'team_id']],
    }),
    msg: z.string().meta({ examples: ['Field is required'] }),
    type: z
      .string()
      .meta({ description: 'A stable identifier.', examples: ['value_error.missing'] }),
  })
  .meta({ id: 'ValidationProblem' });
export type ValidationProblem = z.infer<typeof ValidationProblem>;

export const ValidationErrorBody = z
  .object({ detail: z.array(ValidationProblem) })
  .meta({ id: 'ValidationErrorBody', description: 'Every problem of the request.' });
export type ValidationErrorBody = z.infer<typeof ValidationErrorBody>;

// The bodies of error responses.
import { z } from 'zod';
import type { ErrorCode } from './error-catalogue.ts';
import { ERROR_CATALOGUE, isAuthenticationFailure, PUBLIC_ERROR_CODES } from './error-catalogue.ts';

export const ServiceErrorBody = z
  .object({
    auth_success: z.boolean().default(true).meta({
      description: 'False when the credential was not accepted: refresh it and send again.',
    }),
    error_code: z.string().meta({
      description:
        'A stable identifier of the reason. Later versions may add codes: treat an unknown one by its status.',
      examples: ['platform_session_not_found'],
      'x-extensible-enum': PUBLIC_ERROR_CODES,
    }),
    desc: z.string().meta({
      description: 'One sentence for people. Its wording may change.',
      examples: [ERROR_CATALOGUE.platform_session_not_found.desc],
    }),
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
    loc: z.array(z.union([z.string(), z.int()])).meta({
      description:
        'Where: path, query, header or body, then field names (strings) and array indexes (integers).',
      examples: [['body', 'team_id']],
    }),
    msg: z.string().meta({
      description: 'One sentence for people. Its wording may change.',
      examples: ['Field is required'],
    }),
    type: z
      .string()
      .meta({ description: 'A stable identifier.', examples: ['value_error.missing'] }),
  })
  .meta({ id: 'ValidationProblem', description: 'One problem and the place that it is in.' });
export type ValidationProblem = z.infer<typeof ValidationProblem>;

export const ValidationErrorBody = z
  .object({ detail: z.array(ValidationProblem) })
  .meta({ id: 'ValidationErrorBody', description: 'Every problem of the request.' });
export type ValidationErrorBody = z.infer<typeof ValidationErrorBody>;

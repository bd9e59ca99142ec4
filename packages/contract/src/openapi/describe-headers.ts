// The headers of an answer, by its status.
import type { ZodOpenApiHeadersObject } from 'zod-openapi';
import { contract } from '../router.ts';
import type { RouteName } from './contract-route.ts';

const REQUEST_ID = {
  description: 'Names this request in the logs: the one that the client sent, or a new one.',
  required: true,
  schema: { type: 'string', minLength: 1, maxLength: 128 },
  example: '0d9f4c1e-7a52-4f0b-9a44-8d1f5c7b2e60',
} as const;

const ETAG = {
  description:
    'Strong validator of the session (RFC 9110 section 8.8.3): changes exactly when the session does.',
  required: true,
  schema: { type: 'string' },
  example: '"Zk3vQ0aT-4"',
} as const;

const RETRY_AFTER = {
  description: 'Seconds to wait before trying again.',
  required: true,
  schema: { type: 'integer', minimum: 1 },
  example: 1,
} as const;

const describeAllow = (method: string) =>
  ({
    description: 'The methods that the route answers.',
    required: true,
    schema: { type: 'string' },
    example: method === 'GET' ? 'GET, HEAD' : method,
  }) as const;

const RETRIED = new Set([409, 429, 503]);

export const describeHeaders = (name: RouteName, status: number): ZodOpenApiHeadersObject => ({
  ...(name === 'joinByPlatformSession' && status === 200 && { ETag: ETAG }),
  ...(RETRIED.has(status) && { 'Retry-After': RETRY_AFTER }),
  ...(status === 405 && { Allow: describeAllow(contract[name].method) }),
  'X-Request-Id': REQUEST_ID,
});

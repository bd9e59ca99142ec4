// The typed client of the admin API.
export type {
  AdminClient,
  AdminClientOptions,
  CallOptions,
  Input,
  ListName,
  Output,
  ProcedureName,
} from './client.ts';
export { createAdminClient } from './client.ts';
export { AdminApiError } from './errors.ts';
export type * from './generated/admin-api.ts';

// Puts the service's problems beside the fields that caused them.
import type { ApiError } from './api-error.ts';

/**
 * Sentences by form path, as @mantine/form wants them: `loc` `["body", "teams", 0, "max_size"]` is the
 * field `teams.0.max_size`. Problems without a field are left out; see `listOtherProblems`.
 */
export const toFieldErrors = ({ detail }: ApiError): Record<string, string> => {
  const errors: Record<string, string> = {};
  for (const { loc, msg } of detail) {
    const path = loc.slice(1).join('.');
    if (path !== '') errors[path] = errors[path] ? `${errors[path]} ${msg}.` : `${msg}.`;
  }
  return errors;
};

/** What `fields` do not show: to be listed above the form, so that no reason is lost. */
export const listOtherProblems = (error: ApiError, fields: readonly string[]): string[] => {
  const shown = (path: string) =>
    fields.some((field) => path === field || path.startsWith(`${field}.`));
  return error.detail
    .map(({ loc, msg }) => ({ path: loc.slice(1).join('.'), msg }))
    .filter(({ path }) => !shown(path))
    .map(({ path, msg }) => (path === '' ? `${msg}.` : `${path}: ${msg}.`));
};

// Signing in and what goes with it: JSON requests besides the admin API, answered with a cookie.
import { readFailure } from '../../api/api-error.ts';

/** `path` is behind /admin/auth. Throws the service's refusal. */
export const postAuth = async <Answer = unknown>(path: string, body: object): Promise<Answer> => {
  const response = await fetch(`/admin/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw await readFailure(response);
  return (await response.json()) as Answer;
};

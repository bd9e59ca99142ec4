// Calls the sign-in endpoints over HTTP, like the web app.

/** Requests have an Origin, like those of a browser. */
export const postAuth = (
  baseUrl: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(`${baseUrl}/admin/auth${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl, ...headers },
    body: JSON.stringify(body),
  });

export const readErrorCode = async (response: Response): Promise<string> =>
  ((await response.json()) as { error_code: string }).error_code;

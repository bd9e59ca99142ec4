// What leaves the service of the accounts library's answers: never the token of a session.

/** A redirect has no body. */
export const readAnswer = async (answer: Response): Promise<unknown> => {
  const text = await answer.clone().text();
  return text === '' ? undefined : JSON.parse(text);
};

/** The token belongs into the cookie, where scripts of a page cannot read it. */
export const withoutTokens = (body: unknown): unknown => {
  if (typeof body !== 'object' || body === null) return body;
  const { token: _, session, ...rest } = body as Record<string, unknown>;
  return session === undefined ? rest : { ...rest, session: withoutTokens(session) };
};

/** The cookies of an answer as a browser would send them with its next request. */
export const toCookieHeader = (answer: Response): string =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .join('; ');

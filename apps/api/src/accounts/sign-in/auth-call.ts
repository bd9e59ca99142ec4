/** One request to the accounts library, as the edge has read it. */
export type AuthCall = {
  /** Behind the library's own path, such as `/sign-in/email`. */
  path: string;
  /** With its question mark; empty where there is none. */
  query: string;
  body: unknown;
  cookie?: string;
  userAgent?: string;
  requestId: string;
  address?: string;
};

/** What the edge sends back. */
export type AuthAnswer = {
  status: number;
  /** Absent on a redirect. */
  body?: unknown;
  cookies: string[];
  location?: string;
};

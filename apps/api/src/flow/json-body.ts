// Response bodies as JSON: some answer many requests and are written once, others are stored as JSON and sent unchanged.

const written = new WeakMap<object, Buffer>();

/** A frozen body may answer several requests, such as the session that many players have just joined. They share the bytes. */
export const writeBody = (body: unknown): Buffer => {
  if (typeof body !== 'object' || body === null) return Buffer.from(JSON.stringify(body));
  const known = written.get(body);
  if (known) return known;
  const bytes = Buffer.from(JSON.stringify(body));
  if (Object.isFrozen(body)) written.set(body, bytes);
  return bytes;
};

/** A body from JSON, which is sent unchanged. Accessing a member parses it. */
export const bodyFromJson = <Body extends object>(json: string, members: (keyof Body)[]): Body => {
  const bytes = Buffer.from(json);
  let body: Body | undefined;
  const read = () => {
    body ??= JSON.parse(bytes.toString()) as Body;
    return body;
  };
  const getters = members.map((name) => [name, { enumerable: true, get: () => read()[name] }]);
  const unread = Object.defineProperties({}, Object.fromEntries(getters)) as Body;
  written.set(unread, bytes);
  return unread;
};

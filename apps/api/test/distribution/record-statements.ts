// Keeps the text of every statement that this process sends to PostgreSQL, whoever makes it: a store, or Prisma.
import pg from 'pg';

export type Recording = { texts: Set<string>; stop(): void };

export const recordStatements = (): Recording => {
  const texts = new Set<string>();
  const original = pg.Client.prototype.query;
  const record = function (this: pg.Client, ...args: [unknown, ...unknown[]]) {
    const [asked] = args;
    const text = typeof asked === 'string' ? asked : (asked as { text?: unknown } | null)?.text;
    if (typeof text === 'string') texts.add(text);
    return Reflect.apply(original, this, args);
  };
  pg.Client.prototype.query = record as typeof original;
  return {
    texts,
    stop: () => {
      pg.Client.prototype.query = original;
    },
  };
};

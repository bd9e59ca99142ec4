// Finds variables that look like a misspelt setting: the service would silently ignore them.
import { Environment } from './environment.ts';

/** Variables of OpenTelemetry whose names resemble one of our settings. */
const FOREIGN: ReadonlySet<string> = new Set(['OTEL_BLRP_SCHEDULE_DELAY']);

/** Sentences, one per variable. Other programs' variables are left alone: only a name close to that of a setting counts. */
export const findMisspeltSettings = (variables: Record<string, string | undefined>): string[] =>
  Object.keys(variables).flatMap((name) => {
    const setting = findIntended(name);
    return setting ? [`${name} is not a setting and has no effect. Did you mean ${setting}?`] : [];
  });

const findIntended = (name: string): string | undefined => {
  const known = Object.keys(Environment.shape);
  if (known.includes(name) || FOREIGN.has(name)) return undefined;
  const upper = name.toUpperCase().replaceAll('-', '_');
  return known.find((setting) => countEdits(upper, setting) <= allowedEdits(setting));
};

/** Short names such as PORT are close to too many words. */
const allowedEdits = ({ length }: string): number => {
  if (length < 6) return 0;
  return length < 10 ? 1 : 2;
};

/** The Levenshtein distance: letters to insert, remove or replace. */
const countEdits = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line += 1) {
    const next = [line];
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[line - 1] === to[column - 1];
      const [above = 0, diagonal = 0, left = 0] = [row[column], row[column - 1], next[column - 1]];
      next.push(Math.min(above + 1, left + 1, diagonal + (isSame ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
};

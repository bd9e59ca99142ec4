// Turns the bytes of a body into a value (RFC 8259), or into the problems that prevent it.
import type { ValidationProblem } from '@muster/contract';

export type JsonBody = { value: unknown; problems: ValidationProblem[] };

const JSON_TYPE = /^application\/json[ \t]*(;|$)/i;
const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?([^";\s]*)/i;

/** `value` is undefined when the body is absent or unreadable. A wrong type does not hide problems of the body. */
export const parseJsonBody = (bytes: Buffer, contentType: string | undefined): JsonBody => {
  const { text, problems } = readJsonText(bytes, contentType);
  if (text === null) return { value: undefined, problems };
  if (text === '') return { value: undefined, problems: [...problems, missingBody] };
  try {
    return { value: JSON.parse(text), problems };
  } catch {
    return { value: undefined, problems: [...problems, notJson] };
  }
};

/** The text of a body that another parser reads; null when it is no UTF-8. */
export const readJsonText = (
  bytes: Buffer,
  contentType: string | undefined,
): { text: string | null; problems: ValidationProblem[] } => {
  const problems = findTypeProblems(bytes, contentType);
  const text = decodeUtf8(bytes);
  return { text, problems: text === null ? [...problems, notUtf8] : problems };
};

/** An empty body needs no type; everything else is application/json in UTF-8. */
const findTypeProblems = (bytes: Buffer, contentType: string | undefined): ValidationProblem[] => {
  if (contentType === undefined) return bytes.length === 0 ? [] : [missingType];
  const charset = CHARSET.exec(contentType)?.[1] ?? 'utf-8';
  const accepted = JSON_TYPE.test(contentType) && /^utf-?8$/i.test(charset);
  return accepted ? [] : [wrongType];
};

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/** A byte order mark is taken off, as RFC 8259 section 8.1 allows. */
const decodeUtf8 = (bytes: Buffer): string | null => {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
};

const wrongType = {
  loc: ['header', 'content-type'],
  msg: 'Must be application/json in UTF-8',
  type: 'value_error.content_type',
};
const missingType = { ...wrongType, msg: 'Field is required', type: 'value_error.missing' };
const missingBody = { loc: ['body'], msg: 'Field is required', type: 'value_error.missing' };
const notUtf8 = { loc: ['body'], msg: 'Must be UTF-8', type: 'value_error.unicode' };
const notJson = { loc: ['body'], msg: 'Must be JSON', type: 'value_error.jsondecode' };
